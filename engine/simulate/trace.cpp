#include <cmath>

#include "engine/json/writer.h"
#include "engine/simulate/simulate.h"

namespace roofbeam {
namespace {

void write_event(json::Writer& out, const PricedCall& call, Seconds start) {
  const auto microseconds = [](Seconds time) { return std::nearbyint(time.value * 1e6); };
  out.begin_object().key("name").string(full_name(call.op->name));
  out.key("cat").string("analytic").key("ph").string("X");
  out.key("ts").number(microseconds(start)).key("dur").number(microseconds(call.time.total));
  out.key("pid").integer(0).key("tid").integer(call.stage);
  out.key("args").begin_object();
  out.key("Inputs")
      .string(signature_of_inputs(*call.op))
      .key("Output")
      .string(signature_of_outputs(*call.op));
  if (!call.segment.empty()) out.key("Block").string(call.segment);
  out.key("Bound").string(name(bound_of(call.time)));
  out.end_object().end_object();
}

void write_name(json::Writer& out, std::string_view kind, std::int64_t thread,
                const std::string& name) {
  out.begin_object()
      .key("name")
      .string(kind)
      .key("ph")
      .string("M")
      .key("pid")
      .integer(0)
      .key("tid")
      .integer(thread);
  out.key("args").begin_object().key("name").string(name).end_object().end_object();
}

}  // namespace

std::string chrome_trace(const Simulation& simulation) {
  json::Writer out;
  out.begin_object().key("traceEvents").begin_array();
  write_name(out, "process_name", 0, "analytic (PID: 0)");
  for (std::size_t s = 0; s < simulation.stages.size(); ++s)
    write_name(out, "thread_name", static_cast<std::int64_t>(s), "Stream " + std::to_string(s));
  Seconds now;
  for (std::size_t first = 0; first < simulation.calls.size();) {
    // All operators of a segment, once for each of its copies.
    std::size_t end = first + 1;
    while (end < simulation.calls.size() &&
           simulation.calls[end].segment == simulation.calls[first].segment &&
           simulation.calls[end].calls == simulation.calls[first].calls &&
           simulation.calls[end].stage == simulation.calls[first].stage)
      ++end;
    for (double copy = 0; copy < simulation.calls[first].calls; ++copy)
      for (std::size_t i = first; i < end; ++i) {
        write_event(out, simulation.calls[i], now);
        now += simulation.calls[i].time.total;
      }
    first = end;
  }
  out.end_array().end_object();
  return out.take();
}

}  // namespace roofbeam
