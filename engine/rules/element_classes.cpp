#include <optional>
#include <string>
#include <vector>

#include "engine/base/text.h"
#include "engine/rules/checks.h"
#include "engine/rules/tensor_origins.h"

namespace roofbeam {
namespace {

// What can be told apart when a tensor meets a port: widths of real numbers can't.
enum class Kind : std::uint8_t { unknown, real, index, condition };

Kind kind_of(ElementClass element) {
  switch (element) {
    case ElementClass::inherit: return Kind::unknown;
    case ElementClass::integer: return Kind::index;
    case ElementClass::boolean: return Kind::condition;
    case ElementClass::real:
    case ElementClass::half:
    case ElementClass::single:
    case ElementClass::fp8: break;
  }
  return Kind::real;
}

std::string_view words(Kind kind) {
  switch (kind) {
    case Kind::real: return "real numbers";
    case Kind::index: return "integers";
    case Kind::condition: return "conditions";
    case Kind::unknown: break;
  }
  return "values of an unknown kind";
}

std::string_view hint(Kind arriving, Kind wanted) {
  if (arriving == Kind::index && wanted == Kind::real)
    return "put an embedding between, or give the input a real dtype";
  if (arriving == Kind::real && wanted == Kind::index)
    return "wire an input of integers, or give the input an integer dtype";
  return "";
}

// The kinds of all tensors, producers first.
class ElementClasses {
 public:
  ElementClasses(const RuleContext& context, Findings& findings)
      : context_(context), findings_(findings) {
    for (const Instance& instance : context.design.instances) {
      first_.push_back(kinds_.size());
      for (const PortSpec& port : instance.ports().outputs) kinds_.push_back(kind_of(port.element));
    }
  }

  void check() {
    for (const InstanceId id : context_.design.order) {
      check_inputs(context_.design.instances[id]);
      spread(id);
    }
  }

 private:
  Kind& kind(InstanceId id, std::size_t port) { return kinds_[first_[id] + port]; }

  Kind reaching(const InputState& input) const {
    return input.producer ? kinds_[first_[input.producer->instance] + input.producer->port]
                          : Kind::unknown;
  }

  void check_inputs(const Instance& instance) {
    for (std::size_t i = 0; i < instance.inputs.size(); ++i) {
      const PortSpec& port = instance.ports().inputs[i];
      const Kind wanted = kind_of(port.element);
      const Kind arriving = reaching(instance.inputs[i]);
      if (wanted == Kind::unknown || arriving == Kind::unknown || wanted == arriving) continue;
      if (!origins_) origins_.emplace(context_.design);
      const InstanceId origin = origins_->reaching(instance.inputs[i]);
      const std::string from =
          origin == kNoInstance ? "" : " from " + quoted(context_.design.instances[origin].path);
      Finding finding =
          about_block("dtype", Severity::error, instance,
                      std::string(words(arriving)) + from + " reach the port " + quoted(port.name) +
                          ", which takes " + std::string(words(wanted)),
                      std::string(hint(arriving, wanted)));
      finding.port = port.name;
      findings_.push_back(std::move(finding));
    }
  }

  // What an instance's outputs take from its inputs, or its boundary from the outside. What reaches
  // a declared port counts as declared inside: the misfit is reported once, where it enters.
  void spread(InstanceId id) {
    const Instance& instance = context_.design.instances[id];
    const InstanceId above = instance.parent;
    if (above != kNoInstance && context_.design.instances[above].boundary_in == id) {
      const Instance& parent = context_.design.instances[above];
      for (std::size_t port = 0; port < instance.outputs.size(); ++port) {
        const auto outer = parent.input(instance.ports().outputs[port].name);
        if (!outer || kind(id, port) != Kind::unknown) continue;
        const Kind declared = kind_of(parent.ports().inputs[*outer].element);
        kind(id, port) = declared != Kind::unknown ? declared : reaching(parent.inputs[*outer]);
      }
      return;
    }
    if (above != kNoInstance && context_.design.instances[above].boundary_out == id) {
      const Instance& parent = context_.design.instances[above];
      for (std::size_t port = 0; port < instance.inputs.size(); ++port) {
        const auto outer = parent.output(instance.ports().inputs[port].name);
        if (outer && kind(above, *outer) == Kind::unknown)
          kind(above, *outer) = reaching(instance.inputs[port]);
      }
      return;
    }
    if (instance.spec->kind != BlockKind::primitive) return;
    for (std::size_t port = 0; port < instance.outputs.size(); ++port)
      if (kind(id, port) == Kind::unknown) kind(id, port) = inherited(instance);
  }

  // The kind all inheriting inputs share; one that is open or unknown leaves it unknown.
  Kind inherited(const Instance& instance) const {
    Kind shared = Kind::unknown;
    for (std::size_t i = 0; i < instance.inputs.size(); ++i) {
      const PortSpec& port = instance.ports().inputs[i];
      if (port.element != ElementClass::inherit) continue;
      if (port.optional && !instance.inputs[i].producer) continue;
      const Kind one = reaching(instance.inputs[i]);
      if (one == Kind::unknown || (shared != Kind::unknown && one != shared)) return Kind::unknown;
      shared = one;
    }
    return shared;
  }

  const RuleContext& context_;
  std::optional<TensorOrigins> origins_;  // for messages
  Findings& findings_;
  std::vector<std::size_t> first_;  // by instance: where its outputs start in kinds_
  std::vector<Kind> kinds_;
};

}  // namespace

void check_element_classes(const RuleContext& context, Findings& findings) {
  ElementClasses(context, findings).check();
}

}  // namespace roofbeam
