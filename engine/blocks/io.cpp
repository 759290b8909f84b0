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

const Forms input_forms = {.ports = input_ports};

}  // namespace roofbeam
