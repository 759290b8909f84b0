#include "engine/program/quantize.h"

namespace roofbeam {
namespace {

class Quantizer {
 public:
  explicit Quantizer(const Quantization& quantization) : quantization_(quantization) {}

  void operator()(Linear& linear) const {
    if (!linear.quantizable) return;
    linear.mode = linear.expert ? quantization_.linear
                                : quantization_.non_expert.value_or(quantization_.linear);
  }
  void operator()(Mlp& mlp) const {
    if (mlp.gate) (*this)(*mlp.gate);
    (*this)(mlp.up);
    (*this)(mlp.down);
  }
  void operator()(Moe& moe) const {
    (*this)(moe.expert);
    if (moe.shared) (*this)(*moe.shared);
    if (moe.shared_gate) (*this)(*moe.shared_gate);
  }
  void operator()(Attention& attention) const {
    for (Linear* linear : {&attention.q, &attention.k, &attention.v, &attention.o})
      (*this)(*linear);
    attention.mode = quantization_.attention;
  }
  void operator()(LatentAttention& attention) const {
    for (Linear* linear :
         {&attention.q_down, &attention.q_up, &attention.kv_down, &attention.kv_up, &attention.o})
      (*this)(*linear);
    attention.mode = quantization_.attention;
  }
  void operator()(MtpJoin& join) const { (*this)(join.projection); }
  template <class Other>
  void operator()(Other&) const {}

 private:
  const Quantization& quantization_;
};

}  // namespace

Model quantized(Model model, const Quantization& quantization) {
  const Quantizer quantizer(quantization);
  for (Run& run : model.runs)
    for (Module& module : run.modules) std::visit(quantizer, module.kind);
  return model;
}

}  // namespace roofbeam
