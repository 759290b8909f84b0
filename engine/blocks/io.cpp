#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

ElementClass element_of(std::string_view dtype) {
  if (dtype == "bf16") return ElementClass::half;
  if (dtype == "fp32") return ElementClass::single;
  return ElementClass::integer;
}

Ports input_ports(const Arguments& a, const Ports& declared, const Scope&) {
  Ports ports = declared;
  ports.outputs[0].shape = a.text("shape");
  ports.outputs[0].element = element_of(a.text("dtype"));
  return ports;
}

}  // namespace

BlockSpec input_block() {
  return {
      .type = "input",
      .category = Category::io,
      .docs = {.title = "input", .summary = "Where a tensor enters the design.", .formula = "x"},
      .params = {pattern_param("shape", "B T", "what enters"),
                 choice_param("dtype", "int64", {"int64", "int32", "bf16", "fp32"},
                              "format of the elements"),
                 choice_param(
                     "role", "tokens", {"tokens", "documents", "positions"},
                     "what the numbers mean: token ids, the document each token belongs to, "
                     "or the position it is rotated by")},
      .ports = {.outputs = {{.name = "x", .shape = "B T", .element = ElementClass::integer}}},
      // What comes from outside arrives in two bytes.
      .forms = {.ports = input_ports, .autocast = Autocast::half},
  };
}

BlockSpec output_block() {
  return {
      .type = "output",
      .category = Category::io,
      .docs = {.title = "output", .summary = "Where a tensor leaves the design.", .formula = "x"},
      .ports = {.inputs = {{.name = "x", .shape = "..."}}},
  };
}

}  // namespace roofbeam
