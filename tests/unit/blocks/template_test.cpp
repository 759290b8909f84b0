#include "engine/blocks/template.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/blocks/expansion.h"

namespace roofbeam {
namespace {

using testing::arguments_of;
using testing::Given;

json::Value parsed(std::string_view text) {
  Result<json::Value> value = json::parse(text);
  ROOFBEAM_CHECK(value);
  return *std::move(value);
}

BlockSpec block(std::string_view text, DefinitionOrigin origin = DefinitionOrigin::built_in) {
  Result<BlockSpec> spec = read_block("sample", parsed(text), "", origin);
  ROOFBEAM_CHECK(spec);
  return *std::move(spec);
}

// One parameter of each kind.
constexpr std::string_view kParams = R"({
  "width": { "type": "int" }, "rate": { "type": "num", "default": 0 },
  "flag": { "type": "bool", "default": false }, "other": { "type": "bool", "default": null },
  "kind": { "type": "enum", "values": ["relu", "gelu_tanh"], "default": "relu" },
  "mask": { "type": "str", "default": "" }, "axes": { "type": "pattern", "default": "B T" },
  "rope": { "type": "obj", "default": null }, "limit": { "type": "num", "default": null } })";

class WithArguments : public ::testing::Test {
 protected:
  WithArguments() {
    scope_.declare("D", 8, SymbolKind::design);
    scope_.declare("T", 64, SymbolKind::runtime);
  }

  Arguments arguments(Given given) {
    if (given.empty() || given.front().first != "width")
      given.insert(given.begin(), {"width", "D"});
    return arguments_of(spec_, given, scope_);
  }

  Scope scope_;
  BlockSpec spec_ = block(R"({ "params": )" + std::string(kParams) + R"(,
    "ports": { "in": { "x": "... width" }, "out": { "y": "... width" } },
    "graph": { "nodes": [{ "id": "a", "type": "add" }], "wires": [] } })");
};

TEST_F(WithArguments, ConditionsAreTruthOfAnArgument) {
  struct Case {
    std::string_view param;
    json::Value value;
    bool set;
  };
  const Case cases[] = {
      {"flag", true, true},
      {"flag", false, false},
      {"other", json::Value(), false},
      {"other", true, true},
      {"rate", 0, false},
      {"rate", -0.5, true},
      {"rate", "D - 8", false},
      {"rate", "D", true},
      {"limit", json::Value(), false},
      {"limit", 3, true},
      {"mask", "", false},
      {"mask", "kv < 4", true},
      {"rope", json::Value(), false},
      {"rope", json::Object{}, true},
  };
  for (const Case& row : cases) {
    const Arguments given = arguments({{std::string(row.param), row.value}});
    EXPECT_EQ(holds({{{{std::string(row.param), true, {}}}}}, given), row.set) << row.param;
    EXPECT_EQ(holds({{{{std::string(row.param), false, {}}}}}, given), !row.set) << row.param;
  }
}

TEST_F(WithArguments, ConditionsCombineChoicesClausesAndAlternatives) {
  const TemplateCondition::Clause relu{"kind", true, {"relu"}};
  const TemplateCondition::Clause either{"kind", true, {"relu", "gelu_tanh"}};
  const TemplateCondition::Clause flag{"flag", true, {}};
  const Arguments gelu = arguments({{"kind", "gelu_tanh"}, {"flag", true}});
  EXPECT_TRUE(holds({}, gelu));
  EXPECT_FALSE(holds({{{relu}}}, gelu));
  EXPECT_TRUE(holds({{{either}}}, gelu));
  EXPECT_FALSE(holds({{{relu, flag}}}, gelu));
  EXPECT_TRUE(holds({{{relu}, {flag}}}, gelu));
}

TEST_F(WithArguments, SubstitutesExpressionsInParenthesesOnlyWhereNeeded) {
  struct Case {
    std::string_view text;
    Given given;
    std::string_view wanted;
  };
  const Case cases[] = {
      {"2*$width", {{"width", 768}}, "2*768"},
      {"2*$width", {{"width", "D"}}, "2*D"},
      {"2*$width", {{"width", "D + 4"}}, "2*(D + 4)"},
      {"2*$width", {{"width", "(D + 4)"}}, "2*(D + 4)"},
      {"$rate^2", {{"rate", -0.5}}, "(-0.5)^2"},
      {"$flag + $other", {{"flag", true}}, "1 + 0"},
      {"1 - $limit", {}, "1 - 0"},
      {"$mask and q > 3", {{"mask", "kv < 4"}}, "(kv < 4) and q > 3"},
      {"$kind", {{"kind", "gelu_tanh"}}, "gelu_tanh"},
      {"$axes (2 $width)", {{"axes", "B T H"}}, "B T H (2 D)"},
      {"$width$width", {{"width", "D"}}, "DD"},  // the longest name is taken, nothing else
      {"costs $ 5, $5 and $", {}, "costs $ 5, $5 and $"},
  };
  for (const Case& row : cases) EXPECT_EQ(substituted(row.text, arguments(row.given)), row.wanted);
}

TEST_F(WithArguments, SubstitutesWithinListsAndObjects) {
  const json::Value sizes = parsed(R"(["$width", "2*$width", 3, { "axis": "$rate" }])");
  EXPECT_EQ(substituted(sizes, arguments({{"width", "D + 1"}, {"rate", 0.5}})),
            parsed(R"json(["(D + 1)", "2*(D + 1)", 3, { "axis": "0.5" }])json"));
  EXPECT_EQ(parameters_in(sizes), (std::vector<std::string>{"width", "rate"}));
}

TEST_F(WithArguments, TheFirstSetCandidateIsChosen) {
  const BlockSpec spec = block(R"({ "params": )" + std::string(kParams) + R"(,
    "ports": { "in": { "x": "*" }, "out": { "y": "*" } },
    "let": { "a": { "first": ["$rate", "$width"] }, "b": { "first": ["$other", "$flag"] },
             "c": { "first": ["$rope.theta", 10000] }, "d": { "first": ["$limit", "$rate"] } },
    "graph": { "nodes": [{ "id": "a", "type": "add" }], "wires": [] } })");
  const auto pick = [&](std::size_t local, const Given& given) {
    return testing::written_value(spec.body->locals[local].second, arguments(given));
  };
  EXPECT_EQ(pick(0, {}), json::Value("D"));  // 0 stands for "as the other"
  EXPECT_EQ(pick(0, {{"rate", "D/2"}}), json::Value("D/2"));
  EXPECT_EQ(pick(1, {{"flag", true}}), json::Value(true));
  EXPECT_EQ(pick(1, {{"flag", true}, {"other", false}}), json::Value(false));  // false is set
  EXPECT_EQ(pick(2, {{"rope", json::Object{}}}), json::Value(10000));
  EXPECT_EQ(pick(2, {{"rope", parsed(R"({ "theta": 5e5 })")}}), parsed("5e5"));
  EXPECT_EQ(pick(3, {}), json::Value(0));  // none is set: the last
}

TEST_F(WithArguments, LocalsAreComputedOneFromAnother) {
  const BlockSpec spec = block(R"({ "params": )" + std::string(kParams) + R"(,
    "ports": { "in": { "x": "*" }, "out": { "y": "*" } },
    "let": { "inner": "2*$width", "heads": "$inner/$rate", "same": "$width", "eps": 1e-5 },
    "graph": { "nodes": [{ "id": "a", "type": "add" }], "wires": [] } })");
  const Arguments extended =
      with_locals(*spec.body, arguments({{"width", "D + 4"}, {"rate", 3}}), scope_);
  EXPECT_EQ(extended.at("inner").written, json::Value("2*(D + 4)"));
  EXPECT_EQ(text(extended.at("inner").symbolic, scope_), "2*D + 8");
  EXPECT_EQ(extended.number("inner"), 2 * (8 + 4));
  EXPECT_EQ(extended.at("heads").written, json::Value("(2*(D + 4))/3"));
  EXPECT_EQ(extended.number("heads"), 2 * (8 + 4) / 3);
  EXPECT_EQ(extended.at("same").written, json::Value("D + 4"));
  EXPECT_EQ(extended.number("eps"), 1e-5);
  EXPECT_EQ(extended.at("inner").spec->name, "inner");
}

TEST_F(WithArguments, ALocalWithoutAValueIsNotANumber) {
  const BlockSpec spec = block(R"({ "params": )" + std::string(kParams) + R"(,
    "ports": { "in": { "x": "*" }, "out": { "y": "*" } },
    "let": { "heads": "$width/$rate" },
    "graph": { "nodes": [{ "id": "a", "type": "add" }], "wires": [] } })");
  EXPECT_TRUE(std::isnan(with_locals(*spec.body, arguments({}), scope_).number("heads")));
}

// A stack with an optional norm of two kinds, an optional branch and a conditional port.
constexpr std::string_view kStack = R"({
  "params": {
    "norm": { "type": "enum", "values": ["none", "rms", "layer"], "default": "none" },
    "cross": { "type": "bool", "default": false },
    "wide": { "type": "int", "default": 0 } },
  "ports": {
    "in": { "x": "B T",
            "memory": [{ "shape": "B S", "when": { "cross": true, "wide": false } },
                       { "shape": "B S wide", "when": { "cross": true, "wide": true } }] },
    "out": { "y": "B T" } },
  "graph": {
    "nodes": [
      { "id": "norm", "type": "rmsnorm", "when": { "norm": "rms" } },
      { "id": "norm", "type": "layernorm", "when": { "norm": "layer" } },
      { "id": "mix", "type": "linear" },
      { "id": "branch", "type": "attend", "when": { "cross": true } },
      { "id": "sum", "type": "add", "when": { "cross": true } },
      { "id": "end", "type": "add" }],
    "wires": [
      ["_in:x", "norm", "mix:in", "end:a"],
      ["mix:z", "branch", "sum:a"],
      ["_in:memory", "branch:memory"],
      ["mix", "sum:b", "end:b"],
      ["mix", "sum:b", "end", "_out:y"]] } })";

std::string name_of(const TemplateGraph& graph, const TemplateEnd& end) {
  const std::string node = end.node == kBoundaryIn    ? graph.input_id
                           : end.node == kBoundaryOut ? graph.output_id
                                                      : graph.nodes[end.node].type;
  return end.port.empty() ? node : node + ":" + end.port;
}

std::string wires_as_text(const TemplateGraph& graph, const Arguments& arguments) {
  std::string text;
  for (const TemplateWire& wire : wires_of(graph, arguments))
    text += name_of(graph, wire.from) + ">" + name_of(graph, wire.to) + " ";
  return text;
}

TEST(TemplateWires, StepOverWhatIsAbsent) {
  const BlockSpec stack = block(kStack);
  const TemplateGraph& graph = stack.body->graph;
  const Scope scope;
  const auto wires = [&](const Given& given) {
    return wires_as_text(graph, arguments_of(stack, given, scope));
  };
  EXPECT_EQ(wires({}), "_in:x>linear:in linear>add:a linear>add:b linear>add add>_out:y ");
  EXPECT_EQ(wires({{"norm", "layer"}}),
            "_in:x>layernorm layernorm>linear:in linear>add:a linear>add:b linear>add add>_out:y ");
  EXPECT_EQ(wires({{"norm", "rms"}, {"cross", true}}),
            "_in:x>rmsnorm rmsnorm>linear:in linear>add:a linear:z>attend attend>add:a "
            "_in:memory>attend:memory linear>add:b add>add:b add>add add>_out:y ");
}

TEST(TemplateWires, AWireThatChainsShareIsOne) {
  const BlockSpec stack = block(kStack);
  const Scope scope;
  const std::vector<TemplateWire> wires =
      wires_of(stack.body->graph, arguments_of(stack, {{"cross", true}}, scope));
  const TemplateWire shared{{2, ""}, {4, "b"}};  // mix -> sum:b, which two chains pass through
  EXPECT_EQ(std::ranges::count(wires, shared), 1);
}

TEST(TemplatePorts, DependOnTheArguments) {
  const BlockSpec stack = block(kStack);
  const Scope scope;
  const auto inputs = [&](const Given& given) {
    std::string text;
    for (const PortSpec& port : ports_of(stack, arguments_of(stack, given, scope)).inputs)
      text += port.name + "=" + port.shape + ";";
    return text;
  };
  EXPECT_EQ(inputs({}), "x=B T;");
  EXPECT_EQ(inputs({{"cross", true}}), "x=B T;memory=B S;");
  EXPECT_EQ(inputs({{"cross", true}, {"wide", 8}}), "x=B T;memory=B S wide;");
}

TEST(TemplateConstraints, AreRelationsBetweenArguments) {
  const BlockSpec spec = block(R"({
    "params": { "heads": { "type": "int" }, "groups": { "type": "int" },
                "fused": { "type": "bool", "default": true }, "window": { "type": "int", "default": 0 },
                "mask": { "type": "str", "default": "" } },
    "ports": { "in": { "x": "*" }, "out": { "y": "*" } },
    "constraints": [
      { "id": "DIV", "param": "groups", "divides": ["groups", "2*heads"], "message": "$groups in 2*$heads", "hint": "even" },
      { "id": "MOST", "severity": "warning", "param": "groups", "at_most": ["groups", "heads"], "message": "more" },
      { "id": "UNSET", "when": { "fused": false }, "unset": ["window", "mask"], "message": "not both" }],
    "graph": { "nodes": [{ "id": "a", "type": "add" }], "wires": [] } })");
  Scope scope;
  scope.declare("H", 8, SymbolKind::design);
  const auto issues = [&](Given given) {
    std::string text;
    for (const Issue& issue : check_template(spec, arguments_of(spec, given, scope), scope))
      text += issue.rule + "(" + issue.param.value_or("") + "): " + issue.message + ";";
    return text;
  };
  EXPECT_EQ(issues({{"heads", "H"}, {"groups", 4}}), "");
  EXPECT_EQ(issues({{"heads", "H"}, {"groups", 3}}), "DIV(groups): 3 in 2*8;");
  EXPECT_EQ(issues({{"heads", "H"}, {"groups", 16}}), "MOST(groups): more;");
  EXPECT_EQ(issues({{"heads", "H"}, {"groups", 0}}), "");  // below its own range, said elsewhere
  EXPECT_EQ(issues({{"heads", 8}, {"groups", 8}, {"window", 4}}), "");
  EXPECT_EQ(issues({{"heads", 8}, {"groups", 8}, {"fused", false}, {"mask", "q > 0"}}),
            "UNSET(mask): not both;");
  EXPECT_EQ(check_template(spec, arguments_of(spec, {{"heads", 8}, {"groups", 16}}, scope), scope)
                .front()
                .severity,
            Severity::warning);
}

// A definition of a document with one thing changed.
constexpr std::string_view kGatedFfn = R"json({
  "category": "mlp",
  "params": { "d_model": { "type": "int", "min": 1 }, "hidden": { "type": "int", "group": "sizes" } },
  "ports": { "in": { "x": "... d_model" },
             "out": { "y": { "shape": "... d_model", "dtype": "real", "anchor": "side" } } },
  "graph": {
    "nodes": [
      { "id": "up", "type": "linear", "params": { "in_features": "$d_model", "out_features": "2*$hidden" } },
      { "id": "stack", "type": "repeat", "label": "stack", "params": { "count": 2 }, "graph": {
          "nodes": [
            { "id": "entry", "type": "boundary_in", "params": { "ports": { "x": "... (2 $hidden)" } } },
            { "id": "act", "type": "activation", "params": { "dim": "2*$hidden", "kind": "relu" } },
            { "id": "exit", "type": "boundary_out", "params": { "ports": { "x": "... (2 $hidden)" } } }],
          "edges": [["entry:x", "act:x"], ["act:y", "exit:x"]] } },
      { "id": "down", "type": "linear", "params": { "in_features": "2*$hidden", "out_features": "$d_model" } }],
    "edges": [["_in:x", "up:x"], ["up:y", "stack:x"], ["stack:x", "down:x"], ["down:y", "_out:y"]] },
  "docs": { "summary": "A feed-forward layer with a stack inside." } })json";

TEST(DocumentDefinitions, AreTemplatesWithEdges) {
  const BlockSpec spec = block(kGatedFfn, DefinitionOrigin::document);
  EXPECT_EQ(spec.type, "sample");
  EXPECT_EQ(spec.kind, BlockKind::composite);
  EXPECT_EQ(spec.category, Category::mlp);
  EXPECT_EQ(spec.docs.summary, "A feed-forward layer with a stack inside.");
  ASSERT_EQ(spec.params.size(), 2u);
  EXPECT_EQ(spec.params[0].minimum, 1);
  EXPECT_FALSE(spec.params[0].fallback.has_value());
  EXPECT_EQ(spec.ports.outputs[0].element, ElementClass::real);
  EXPECT_TRUE(spec.ports.outputs[0].side);

  const Scope scope;
  const Arguments arguments = arguments_of(spec, {{"d_model", 4}, {"hidden", 6}}, scope);
  EXPECT_EQ(wires_as_text(spec.body->graph, arguments),
            "_in:x>linear:x linear:y>repeat:x repeat:x>linear:x linear:y>_out:y ");
  const TemplateNode& stack = spec.body->graph.nodes[1];
  EXPECT_EQ(stack.label, "stack");
  EXPECT_EQ(stack.graph->inputs,
            (std::vector<std::pair<std::string, std::string>>{{"x", "... (2 $hidden)"}}));
  EXPECT_EQ(wires_as_text(*stack.graph, arguments), "entry:x>activation:x activation:y>exit:x ");
}

TEST(DocumentDefinitions, AnOwnCategoryIsABlock) {
  json::Value definition = parsed(kGatedFfn);
  definition.set("category", "my own");
  EXPECT_EQ((*read_block("mine", definition)).category, Category::block);
}

struct FaultCase {
  std::string_view name;
  std::string_view key;  // replaced in the definition above
  std::string_view value;
  std::string_view wanted;  // "code path" of every diagnostic
};

class DefinitionFault : public ::testing::TestWithParam<FaultCase> {};

std::string faults(std::string_view type, const json::Value& definition) {
  const Result<BlockSpec> result = read_block(type, definition, "/defs/mine");
  std::string text;
  if (!result)
    for (const Diagnostic& problem : result.errors())
      text += problem.code + " " + problem.path + "\n";
  return text;
}

TEST_P(DefinitionFault, IsReportedWithItsPlace) {
  json::Value definition = parsed(kGatedFfn);
  definition.set(GetParam().key, parsed(GetParam().value));
  EXPECT_EQ(faults("mine", definition), GetParam().wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, DefinitionFault,
    ::testing::Values(
        FaultCase{"unknown_param_type", "params",
                  R"({ "d_model": { "type": "float" }, "hidden": { "type": "int" } })",
                  "json.choice /defs/mine/params/d_model/type\n"},
        FaultCase{"enum_without_values", "params",
                  R"({ "d_model": { "type": "int" }, "hidden": { "type": "enum" } })",
                  "json.missing /defs/mine/params/hidden/values\n"},
        FaultCase{
            "parameter_name", "params",
            R"({ "d_model": { "type": "int" }, "hidden": { "type": "int" }, "d-model": { "type": "int" } })",
            "block.parameter_name /defs/mine/params/d-model\n"},
        FaultCase{"no_ports", "ports", "{}",
                  "block.no_input /defs/mine\nblock.no_output /defs/mine\n"},
        FaultCase{"port_without_shape", "ports", R"({ "in": { "x": {} }, "out": { "y": "*" } })",
                  "json.missing /defs/mine/ports/in/x/shape\n"},
        FaultCase{
            "conditions_are_not_offered", "ports",
            R"({ "in": { "x": { "shape": "*", "when": { "hidden": true } } }, "out": { "y": "*" } })",
            "json.unknown_key /defs/mine/ports/in/x/when\n"},
        FaultCase{"no_graph", "graph", "null", "block.no_nodes /defs/mine\n"},
        FaultCase{"no_nodes", "graph", R"({ "nodes": [], "edges": [] })",
                  "block.no_nodes /defs/mine\n"},
        FaultCase{"written_boundary", "graph",
                  R"({ "nodes": [{ "id": "_out", "type": "boundary_out" }], "edges": [] })",
                  "block.boundary_nodes /defs/mine/graph/nodes/0\n"},
        FaultCase{"missing_parameters_sorted", "graph",
                  R"({ "nodes": [{ "id": "a", "type": "split",
                       "params": { "sizes": ["$width", "$d_model", "2*$above"] } }], "edges": [] })",
                  "block.unknown_parameter /defs/mine\nblock.unknown_parameter /defs/mine\n"},
        FaultCase{"wire_without_port", "graph",
                  R"({ "nodes": [{ "id": "a", "type": "add" }], "edges": [["_in:x", "a"]] })",
                  "block.wire /defs/mine/graph/edges/0\n"},
        FaultCase{
            "wire_to_nowhere", "graph",
            R"({ "nodes": [{ "id": "a", "type": "add" }], "edges": [["_in:x", "a:a"], ["_in:x", "b:a"]] })",
            "block.wire /defs/mine/graph/edges/1\n"},
        FaultCase{"undeclared_boundary_port", "graph",
                  R"({ "nodes": [{ "id": "a", "type": "add" }], "edges": [["a:y", "_out:x"]] })",
                  "block.wire /defs/mine/graph/edges/0\n"},
        FaultCase{"boundary_the_wrong_way", "graph",
                  R"({ "nodes": [{ "id": "a", "type": "add" }], "edges": [["a:y", "_in:x"]] })",
                  "block.wire /defs/mine/graph/edges/0\n"},
        FaultCase{
            "three_ends", "graph",
            R"({ "nodes": [{ "id": "a", "type": "add" }], "edges": [["_in:x", "a:a", "_out:y"]] })",
            "block.wire /defs/mine/graph/edges/0\n"},
        FaultCase{
            "chains_are_not_offered", "graph",
            R"({ "nodes": [{ "id": "a", "type": "add" }], "wires": [["_in:x", "a", "_out:y"]] })",
            "json.unknown_key /defs/mine/graph/wires\n"},
        FaultCase{"unknown_key", "grpah", "{}", "json.unknown_key /defs/mine/grpah\n"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(DocumentDefinitions, MissingParametersAreNamedInOrder) {
  json::Value definition = parsed(kGatedFfn);
  definition.set("graph", parsed(R"({ "nodes": [{ "id": "a", "type": "linear",
      "params": { "in_features": "$zeta", "out_features": "$hiden + $alpha" } }], "edges": [] })"));
  const Result<BlockSpec> result = read_block("mine", definition);
  ASSERT_FALSE(result);
  ASSERT_EQ(result.errors().size(), 3u);
  EXPECT_TRUE(result.errors()[0].message.starts_with("$alpha is not a parameter"));
  EXPECT_TRUE(result.errors()[1].message.starts_with("$hiden is not a parameter"));
  EXPECT_EQ(result.errors()[1].hint, "did you mean \"hidden\"?");
  EXPECT_TRUE(result.errors()[2].message.starts_with("$zeta is not a parameter"));
}

TEST(DocumentDefinitions, ManyFaultsAreAllReported) {
  constexpr std::size_t kFaults = 20'000;
  json::Array nodes;
  json::Array edges;
  for (std::size_t i = 0; i < kFaults; ++i) {
    const std::string number = std::to_string(i);
    nodes.push_back(json::Object{{"id", "node" + number}, {"type", "add"}});
    edges.push_back(json::Array{"nod" + number + ":y", "node" + number + ":a"});
  }
  json::Value definition = parsed(kGatedFfn);
  definition.set("graph", json::Object{{"nodes", std::move(nodes)}, {"edges", std::move(edges)}});
  const Result<BlockSpec> result = read_block("mine", definition);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.errors().size(), kFaults);
  EXPECT_FALSE(result.errors().front().hint.empty());
}

TEST(DocumentDefinitions, TypesAreSmallIdentifiers) {
  const json::Value definition = parsed(kGatedFfn);
  for (const std::string_view good : {"a", "my_block2", "x1"})
    EXPECT_EQ(faults(good, definition), "");
  for (const std::string_view bad : {"", "Bad Name", "2fast", "_own", "naïve", "a-b"})
    EXPECT_EQ(faults(bad, definition), "block.type_name /defs/mine\n") << bad;
}

TEST(DocumentDefinitions, MembersOfObjectsAreNotOffered) {
  json::Value definition = parsed(kGatedFfn);
  definition.set("graph", parsed(R"({ "nodes": [{ "id": "a", "type": "rope",
      "params": { "theta": "$hidden.theta", "scaling": { "first": ["$hidden"] } } }], "edges": [] })"));
  const Result<BlockSpec> spec = read_block("mine", definition);
  ASSERT_TRUE(spec);
  for (const auto& [name, value] : spec->body->graph.nodes[0].params)
    EXPECT_EQ(value.kind, TemplateValue::Kind::expression) << name;
}

TEST(BuiltInDefinitions, AlternativesNeedConditions) {
  const Result<BlockSpec> spec =
      read_block("sample", parsed(R"({ "params": { "flag": { "type": "bool", "default": false } },
        "ports": { "in": { "x": "*" }, "out": { "y": "*" } },
        "graph": { "nodes": [{ "id": "a", "type": "add", "when": { "flag": true } },
                             { "id": "a", "type": "mul" }], "wires": [] } })"),
                 "", DefinitionOrigin::built_in);
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.errors()[0].code, "block.alternatives");
}

TEST(BuiltInDefinitions, ConditionsAndConstraintsNameParameters) {
  const Result<BlockSpec> spec = read_block("sample", parsed(R"({ "params": {},
        "ports": { "in": { "x": { "shape": "*", "when": { "p": true } } }, "out": { "y": "*" } },
        "constraints": [{ "id": "C", "unset": ["q"], "message": "$r" }],
        "let": { "l": "$s", "m": "$l" },
        "graph": { "nodes": [{ "id": "a", "type": "add", "when": { "t": "x" } }], "wires": [] } })"),
                                            "", DefinitionOrigin::built_in);
  ASSERT_FALSE(spec);
  std::string names;
  for (const Diagnostic& problem : spec.errors()) names += problem.message.substr(1, 1);
  EXPECT_EQ(names, "pqrst");
}

}  // namespace
}  // namespace roofbeam
