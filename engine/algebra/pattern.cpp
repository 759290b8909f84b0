#include "engine/algebra/pattern.h"

#include <algorithm>
#include <utility>

#include "engine/algebra/lexical.h"
#include "engine/base/check.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

// Groups within groups beyond this depth are left to the expression reader, which refuses them.
constexpr int kMaxGroupDepth = 32;

// Pieces between whitespace outside parentheses. Requires balanced parentheses.
std::vector<std::string_view> atoms_of(std::string_view text) {
  std::vector<std::string_view> atoms;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (depth == 0 && lexical::is_space(text[i]))) {
      if (i > start) atoms.push_back(text.substr(start, i - start));
      start = i + 1;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')') {
      --depth;
    }
  }
  return atoms;
}

bool balanced(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth == 0;
}

// The inside of "(a b)", where the first parenthesis closes at the very end.
std::optional<std::string_view> inside_of_group(std::string_view atom) {
  if (!atom.starts_with('(')) return std::nullopt;
  int depth = 0;
  for (std::size_t i = 0; i < atom.size(); ++i) {
    depth += atom[i] == '(' ? 1 : atom[i] == ')' ? -1 : 0;
    if (depth == 0 && i + 1 < atom.size()) return std::nullopt;
  }
  return atom.substr(1, atom.size() - 2);
}

// "(H + 2*Hkv)" is one expression, not three factors: a member starts or ends with an operator.
bool is_expression(std::span<const std::string_view> members) {
  constexpr std::string_view kOperators = "+-*/^,";
  return std::ranges::any_of(members, [&](std::string_view member) {
    return kOperators.find(member.front()) != std::string_view::npos ||
           kOperators.find(member.back()) != std::string_view::npos;
  });
}

// Appends the factors of an atom; false where a group is empty.
bool append_factors(std::string_view atom, int depth, std::vector<std::string>& factors) {
  const std::optional<std::string_view> inside = inside_of_group(atom);
  if (inside && depth < kMaxGroupDepth) {
    const std::vector<std::string_view> members = atoms_of(*inside);
    if (members.empty()) return false;
    if (!is_expression(members)) {
      return std::ranges::all_of(members, [&](std::string_view member) {
        return append_factors(member, depth + 1, factors);
      });
    }
  }
  factors.emplace_back(atom);
  return true;
}

Diagnostic problem(std::string code, std::string_view pattern, const std::string& what) {
  return {std::move(code), "", what + " in the pattern " + quoted(pattern), ""};
}

std::string text(const Pattern& pattern) {
  if (pattern.any) return "*";
  std::string result;
  for (const PatternAtom& atom : pattern.atoms) {
    if (!result.empty()) result += ' ';
    result += atom.text;
  }
  return result.empty() ? "scalar" : result;
}

bool same_size(const Polynomial& a, const Polynomial& b, const Scope& scope) {
  if (a == b) return true;
  const std::optional<Polynomial> left = with_design_values(a, scope);
  const std::optional<Polynomial> right = with_design_values(b, scope);
  return left && right && *left == *right;
}

}  // namespace

Result<Pattern> parse_pattern(std::string_view text) {
  if (!balanced(text)) return problem("pattern.unbalanced", text, "unbalanced parentheses");
  Pattern pattern;
  Diagnostics problems;
  bool star = false;
  bool ellipsis = false;
  for (const std::string_view word : atoms_of(text)) {
    PatternAtom atom{PatternAtom::Kind::dim, {}, std::string(word)};
    if (word == "...") {
      if (ellipsis) problems.push_back(problem("pattern.two_ellipses", text, "two ellipses"));
      ellipsis = true;
      atom.kind = PatternAtom::Kind::ellipsis;
    } else if (word == "*") {
      star = true;
    } else if (!append_factors(word, 0, atom.factors)) {
      problems.push_back(problem("pattern.empty_group", text, "an empty group"));
    }
    pattern.atoms.push_back(std::move(atom));
  }
  if (star && pattern.atoms.size() > 1) {
    problems.push_back(problem("pattern.star_not_alone", text,
                               "\"*\", which stands for every shape, among others"));
  }
  if (!problems.empty()) return problems;
  if (star) {
    pattern.any = true;
    pattern.atoms.clear();
  }
  return pattern;
}

Result<Polynomial> axis_of(const PatternAtom& atom, const Scope& scope,
                           std::span<const Binding> bindings) {
  ROOFBEAM_CHECK(atom.kind == PatternAtom::Kind::dim && !atom.factors.empty());
  Polynomial axis;
  Diagnostics problems;
  for (std::size_t i = 0; i < atom.factors.size(); ++i) {
    Result<Polynomial> factor = evaluate_expression(atom.factors[i], scope, bindings);
    if (factor && i > 0 && problems.empty()) factor = checked_product(axis, *factor);
    if (factor) {
      axis = *std::move(factor);
    } else {
      problems.insert(problems.end(), factor.errors().begin(), factor.errors().end());
    }
  }
  if (!problems.empty()) return problems;
  return axis;
}

Result<SymbolicShape> instantiate(const Pattern& pattern, const Scope& scope,
                                  std::span<const Binding> bindings, const SymbolicShape& batch) {
  if (pattern.any) return batch;
  SymbolicShape shape;
  Diagnostics problems;
  for (const PatternAtom& atom : pattern.atoms) {
    if (atom.kind == PatternAtom::Kind::ellipsis) {
      shape.insert(shape.end(), batch.begin(), batch.end());
      continue;
    }
    Result<Polynomial> axis = axis_of(atom, scope, bindings);
    if (axis) {
      shape.push_back(*std::move(axis));
    } else {
      problems.insert(problems.end(), axis.errors().begin(), axis.errors().end());
    }
  }
  if (!problems.empty()) return problems;
  return shape;
}

Result<PatternMatch> match(const Pattern& pattern, const SymbolicShape& actual, const Scope& scope,
                           std::span<const Binding> bindings) {
  PatternMatch result;
  if (pattern.any) return result;
  const auto ellipsis =
      std::ranges::find(pattern.atoms, PatternAtom::Kind::ellipsis, &PatternAtom::kind);
  const bool open = ellipsis != pattern.atoms.end();
  const std::size_t fixed = pattern.atoms.size() - (open ? 1 : 0);
  if (open ? actual.size() < fixed : actual.size() != fixed) {
    result.mismatches.push_back({-1, text(actual, scope), text(pattern)});
    return result;
  }

  Diagnostics problems;
  std::size_t axis = 0;
  for (const PatternAtom& atom : pattern.atoms) {
    if (atom.kind == PatternAtom::Kind::ellipsis) {
      for (std::size_t end = axis + actual.size() - fixed; axis < end; ++axis) {
        result.batch.push_back(actual[axis]);
      }
      continue;
    }
    const Result<Polynomial> expected = axis_of(atom, scope, bindings);
    if (!expected) {
      problems.insert(problems.end(), expected.errors().begin(), expected.errors().end());
    } else if (!same_size(actual[axis], *expected, scope)) {
      result.mismatches.push_back({static_cast<int>(axis), text(actual[axis], scope), atom.text});
    }
    ++axis;
  }
  if (!problems.empty()) return problems;
  return result;
}

std::string text(const SymbolicShape& shape, const Scope& scope) {
  std::string result;
  for (const Polynomial& axis : shape) {
    if (!result.empty()) result += ' ';
    result += text(axis, scope);
  }
  return result.empty() ? "scalar" : result;
}

}  // namespace roofbeam
