// Named checks that run one after the other; one that fails does not end the others.

export function checks() {
  let passed = 0;
  const failures = [];
  return {
    async check(name, body) {
      const start = performance.now();
      try {
        const said = await body();
        passed += 1;
        console.log(
          `ok    ${name}${said ? ` (${said})` : ''}, ${(performance.now() - start).toFixed(0)} ms`,
        );
      } catch (error) {
        failures.push(name);
        console.log(`FAILED ${name}\n${error instanceof Error ? error.stack : error}`);
      }
    },
    // The line that a test runner reads; the process's exit code.
    finish() {
      console.log(`\n${passed} passed, ${failures.length} failed`);
      return failures.length === 0 && passed > 0 ? 0 : 1;
    },
  };
}
