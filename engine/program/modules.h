#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/graph/elaboration.h"
#include "engine/program/family.h"
#include "engine/program/settings.h"

namespace roofbeam {

// A model as the modules that a framework runs one after another, between the design and its
// operators. Quantization and parallelism are rewrites of modules: they change what a matrix is
// stored as, how large the local part of a module is, and which ranks it exchanges with; how a
// module of any size runs is written once (engine/program/emit_*.cpp).

// Ranks that run a collective together, by their global numbers.
struct Group {
  std::vector<std::int64_t> ranks = {0};
  std::size_t me = 0;
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(ranks.size()); }
  friend bool operator==(const Group&, const Group&) = default;
};

// How a matrix is cut among the ranks of a group.
enum class Cut : std::uint8_t {
  none,     // everyone has all of it
  columns,  // a part of the outputs each
  rows      // a part of the inputs each: results are sums over the group
};

// Tokens move to the ranks of another group than the one that attention is sharded in, and back:
// for a matrix that is cut among more or fewer ranks than its neighbours.
struct Relayout {
  Group whole = {};   // the TP group, whose ranks hold the same tokens
  Group matrix = {};  // the ranks the matrix is cut among
  Extent in = 0;      // width of the complete input, cut among `whole` before a matrix of rows
  friend bool operator==(const Relayout&, const Relayout&) = default;
};

// A trained matrix.
struct Linear {
  Extent in = 1;  // local sizes, once sharded
  Extent out = 1;
  bool bias = false;
  bool expert = false;      // a routed expert's
  bool quantizable = true;  // within a layer; the head and the router keep their format
  LinearMode mode = LinearMode::disabled;
  Cut cut = Cut::none;
  Group group = {};  // rows: who adds up the results
  std::optional<Relayout> relayout = {};
  Extent whole_out = 0;  // columns that are gathered at once: the complete width
  friend bool operator==(const Linear&, const Linear&) = default;
};

struct Embedding {
  Extent vocab = 1;  // local
  Extent dim = 1;    // local
  bool tied = false;
  WordEmbedding cut = WordEmbedding::replicated;
  Group group = {};
  friend bool operator==(const Embedding&, const Embedding&) = default;
};

struct Norm {
  enum class Kind : std::uint8_t { rms, layer };
  Kind kind = Kind::rms;
  Extent dim = 1;  // local
  double eps = 1e-6;
  bool scale = true;  // a trained factor an element
  bool bias = false;
  friend bool operator==(const Norm&, const Norm&) = default;
};

// Rotary positions of queries and keys.
struct Rope {
  Extent dim = 1;  // leading channels of a head that rotate
  double theta = 10000;
  friend bool operator==(const Rope&, const Rope&) = default;
};

// Attention with keys and values of their own, in a paged cache.
struct Attention {
  Extent heads = 1;  // local
  Extent kv_heads = 1;
  Extent head_dim = 1;
  Extent v_head_dim = 1;
  Linear q = {}, k = {}, v = {}, o = {};
  std::optional<Norm> q_norm = {}, k_norm = {};
  bool norm_over_heads = false;  // one norm over all heads, before they are told apart
  std::optional<Rope> rope = {};
  Extent window = 0;
  AttentionMode mode = AttentionMode::disabled;
  Group context_group = {};  // ranks that share the context of a decode step (DCP)
  friend bool operator==(const Attention&, const Attention&) = default;
};

// Multi-head latent attention.
struct LatentAttention {
  Extent heads = 1;  // local
  Extent hidden = 1;
  Extent q_rank = 1;
  Extent kv_rank = 1;
  Extent nope_dim = 1;
  Extent rope_dim = 1;
  Extent v_dim = 1;
  Linear q_down = {}, q_up = {}, kv_down = {}, kv_up = {}, o = {};
  double eps = 1e-6;
  AttentionMode mode = AttentionMode::disabled;
  Group context_group = {};
  friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

struct Mlp {
  std::optional<Linear> gate = {};  // absent in a plain feed-forward
  Linear up = {}, down = {};
  std::string act = "silu";
  friend bool operator==(const Mlp&, const Mlp&) = default;
};

// How tokens find their experts.
struct Routing {
  Extent hidden = 1;
  Extent experts = 1;  // routed ones the router scores
  Extent top_k = 1;
  bool bias = false;
  bool normalize = true;
  bool sigmoid = false;          // scores, else a softmax
  bool correction_bias = false;  // an addend that decides the choice alone
  Extent groups = 0;
  Extent top_k_groups = 0;
  double scale = 1;
  friend bool operator==(const Routing&, const Routing&) = default;
};

// How the experts' tokens travel; filled by sharding.
struct ExpertParallel {
  Group ep = {};         // ranks the experts are divided among
  Group tp = {};         // ranks that hold the same tokens
  Group dp = {};         // ranks whose tokens are gathered where experts are not divided
  bool slices = false;   // each rank of `tp` routes its part of the tokens
  Extent redundant = 0;  // copies of experts beside the model's
  Extent external = 0;   // leading ranks of `ep` that host shared experts alone
  bool hosts_external = false;
  friend bool operator==(const ExpertParallel&, const ExpertParallel&) = default;
};

struct Moe {
  Routing routing = {};
  Mlp expert = {};
  std::optional<Mlp> shared = {};
  std::optional<Linear> shared_gate = {};  // a sigmoid of one direction scales what they add
  bool shared_after_gather = false;  // shared experts cut among the TP group work on all tokens
  ExpertParallel parallel = {};
  friend bool operator==(const Moe&, const Moe&) = default;
};

struct Add {
  friend bool operator==(const Add&, const Add&) = default;
};

// A product with a fixed number.
struct Scale {
  double by = 1;
  friend bool operator==(const Scale&, const Scale&) = default;
};

struct Head {
  Linear linear = {};
  bool tied = false;
  bool selects = true;  // scores the last position of each sequence alone
  friend bool operator==(const Head&, const Head&) = default;
};

// Joins the stream with embeddings of later tokens, as input of a further layer.
struct MtpJoin {
  Norm embedding_norm = {}, hidden_norm = {};
  Linear projection = {};
  friend bool operator==(const MtpJoin&, const MtpJoin&) = default;
};

// Any other primitive: runs as its block lowers it.
struct Primitive {
  InstanceId instance = kNoInstance;
  friend bool operator==(const Primitive&, const Primitive&) = default;
};

using ModuleKind = std::variant<Embedding, Norm, Attention, LatentAttention, Mlp, Moe, Add, Scale,
                                Linear, Head, MtpJoin, Primitive>;

// Index of a tensor between modules.
using Slot = std::uint32_t;

struct Module {
  std::string path = {};  // of the instance
  ModuleKind kind = {};
  std::vector<Slot> inputs = {};
  std::vector<Slot> outputs = {};
};

// Modules that run `copies` times over.
struct Run {
  std::string name = {};
  std::int64_t copies = 1;
  bool layer = false;  // a layer of the stack: what an override of their number counts
  std::vector<Module> modules = {};
  std::optional<Slot> carried_in = {}, carried_out = {};
};

struct Model {
  std::vector<Run> runs = {};
  Family family = {};
  Extent hidden = 1;         // width of the stream between layers
  Extent max_positions = 0;  // rows of the tables of rotary angles
  Slot next_slot = 0;
};

// The modules of a design, whole, in order of execution.
[[nodiscard]] Model modules_of(const Elaboration& design);

// Layers of the stack.
[[nodiscard]] std::int64_t layer_count(const Model& model);

// Layers [first, first + count) of the stack, and all that is no layer.
[[nodiscard]] Model with_layers(Model model, std::int64_t first, std::int64_t count);

}  // namespace roofbeam
