#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/algebra/polynomial.h"
#include "engine/base/result.h"

namespace roofbeam {

// Structural limits of an expression, so that hostile text costs a bounded time.
inline constexpr std::size_t kMaxExpressionBytes = 64u << 10;  // real ones stay below 200
inline constexpr int kMaxExpressionDepth = 200;

// A name bound to a polynomial beside the scope's symbols: a block's own parameter. Shadows a
// symbol of the same name. Names may be written with a leading "$" where the first binding's is.
struct Binding {
  std::string_view name;
  const Polynomial* value;
};

// Reads and evaluates an expression: + - * / ^, unary minus, parentheses, decimal numbers with
// underscores and exponents, names, and the functions floor ceil round abs sqrt log2 min max
// ceil_mult floor_mult round_mult (which evaluate their arguments to numbers). `^` binds tighter
// than unary minus and to the right. Division that leaves the polynomials divides numbers.
// Errors, path empty: expression.unexpected_end and expression.unexpected_character (with the
// position), expression.unknown_symbol (closest name as hint), expression.unknown_function,
// expression.argument_count, expression.exponent, expression.division_by_zero,
// expression.not_finite, expression.overflow (a number that 64-bit fractions cannot hold),
// expression.too_deep, expression.too_large (text, degree or number of terms past its limit).
[[nodiscard]] Result<Polynomial> evaluate_expression(std::string_view text, const Scope& scope,
                                                     std::span<const Binding> bindings = {});

// The names an expression mentions (functions apart), in order of first appearance; the syntax
// errors of `evaluate_expression` where it does not parse.
[[nodiscard]] Result<std::vector<std::string>> names_in(std::string_view text);

// The expression ready to stand as an operand: in parentheses unless it is a bare name, a plain
// number or already wholly in parentheses.
[[nodiscard]] std::string parenthesised_if_needed(std::string_view expression);

// The product of two values of expressions, or the expression.overflow or expression.too_large
// that keeps it from being held.
[[nodiscard]] Result<Polynomial> checked_product(const Polynomial& a, const Polynomial& b);

}  // namespace roofbeam
