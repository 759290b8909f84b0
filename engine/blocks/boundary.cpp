#include "engine/base/text.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// Both ends of a container's or composite's graph. The `ports` parameter maps a port's name to its
// pattern, or to an object with the pattern as `shape`, an element class as `dtype`, and
// `optional`.

std::optional<PortSpec> read_port(const json::Member& member) {
  const auto& [name, value] = member;
  const json::Value* shape = value.is_object() ? value.find("shape") : &value;
  if (shape == nullptr || !shape->is_string()) return std::nullopt;
  PortSpec port{.name = name, .shape = shape->string()};
  if (const json::Value* dtype = value.find("dtype")) {
    if (!dtype->is_string()) return std::nullopt;
    const std::optional<ElementClass> element = element_class_named(dtype->string());
    if (!element) return std::nullopt;
    port.element = *element;
  }
  const json::Value* optional = value.find("optional");
  port.optional = optional != nullptr && optional->is_bool() && optional->boolean();
  return port;
}

std::vector<PortSpec> read_ports(const Arguments& a) {
  std::vector<PortSpec> ports;
  const json::Value& written = a.at("ports").written;
  if (!written.is_object()) return ports;
  for (const json::Member& member : written.object())
    if (std::optional<PortSpec> port = read_port(member)) ports.push_back(*std::move(port));
  return ports;
}

Ports inward(const Arguments& a, const Ports&, const Scope&) { return {.outputs = read_ports(a)}; }
Ports outward(const Arguments& a, const Ports&, const Scope&) { return {.inputs = read_ports(a)}; }

std::vector<Issue> check(const Arguments& a, const Scope&) {
  std::vector<Issue> issues;
  const json::Value& written = a.at("ports").written;
  if (!written.is_object()) return issues;
  for (const json::Member& member : written.object())
    if (!read_port(member))
      issues.push_back({.rule = "graph",
                        .param = "ports",
                        .message = "the port " + quoted(member.first) + " is " +
                                   json::described(member.second) + ", not a shape pattern",
                        .hint = "write \"... D\", or {\"shape\": \"B T\", \"dtype\": \"int\"}"});
  return issues;
}

}  // namespace

const Forms boundary_in_forms = {.check = check, .ports = inward};

const Forms boundary_out_forms = {.check = check, .ports = outward};

}  // namespace roofbeam
