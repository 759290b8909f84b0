// Writes a C++ source that holds the given JSON files: node embed-presets.mjs OUTPUT FILE...
import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const [output, ...files] = process.argv.slice(2);

// Whitespace between tokens goes; numbers and strings stay as they are written.
function minify(file) {
  const text = readFileSync(file, 'utf8');
  try {
    JSON.parse(text);
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    process.exit(1);
  }
  return text.replace(/("(?:\\.|[^"\\])*")|\s+/g, '$1');
}

const byFolderThenName = (a, b) =>
  a.folder === b.folder ? (a.name < b.name ? -1 : 1) : a.folder < b.folder ? -1 : 1;

const entries = files
  .map((file) => ({
    folder: basename(dirname(file)),
    name: basename(file).replace(/(\.tensorcad)?\.json$/, ''),
    text: minify(file),
  }))
  .sort(byFolderThenName);

const rows = entries.map(
  ({ folder, name, text }) => `    {"${folder}", "${name}", R"roofbeam(${text})roofbeam"},`,
);
const source = `// Written by scripts/embed-presets.mjs from presets/.
#include <array>

#include "engine/base/embedded.h"

namespace roofbeam {
namespace {

constexpr std::array<EmbeddedFile, ${entries.length}> kFiles{{
${rows.join('\n')}
}};

}  // namespace

std::span<const EmbeddedFile> embedded_files() { return kFiles; }

}  // namespace roofbeam
`;

mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, source);
