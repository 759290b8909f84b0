#pragma once

#include <compare>

namespace roofbeam {

// One physical quantity. Same-unit values add and compare; mixing units does not compile.
template <class Unit>
struct Quantity {
  double value = 0;

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(double ratio, Quantity a) { return {ratio * a.value}; }
  friend constexpr Quantity operator*(Quantity a, double ratio) { return {a.value * ratio}; }
  friend constexpr Quantity operator/(Quantity a, double ratio) { return {a.value / ratio}; }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
  constexpr Quantity& operator+=(Quantity b) { return *this = *this + b; }
};

// Doubles, not integers: the FLOPs of a whole training run pass 2^63, while a tensor's bytes stay
// below 2^53, where a double still counts one by one.
using Bytes = Quantity<struct BytesUnit>;
using Flops = Quantity<struct FlopsUnit>;
using Seconds = Quantity<struct SecondsUnit>;
using Dollars = Quantity<struct DollarsUnit>;
using BytesPerSecond = Quantity<struct BytesPerSecondUnit>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondUnit>;
using FlopsPerByte = Quantity<struct FlopsPerByteUnit>;

constexpr Seconds operator/(Bytes bytes, BytesPerSecond rate) { return {bytes.value / rate.value}; }
constexpr Seconds operator/(Flops flops, FlopsPerSecond rate) { return {flops.value / rate.value}; }
constexpr FlopsPerByte operator/(FlopsPerSecond compute, BytesPerSecond memory) {
  return {compute.value / memory.value};
}

}  // namespace roofbeam
