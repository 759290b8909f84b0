// Written by scripts/generate.mjs from presets/schema/.

/**
 * A plain value, or an object that says what the symbol is
 */
export type SymbolDefinition = Quantity | DesignSymbol | RuntimeSymbol;
/**
 * A number, or an expression over the design's symbols, such as "ceil_mult(8/3*D, 256)"
 */
export type Quantity = number | string;
/**
 * A number, an expression, a choice, a switch or a structure: as the block declares it
 */
export type ParameterValue =
  | number
  | string
  | boolean
  | null
  | {
      [k: string]: unknown;
    }
  | unknown[];
/**
 * ["node:port", "node:port"] of the same graph, producer first
 *
 * @minItems 2
 * @maxItems 2
 */
export type DesignEdge = [string, string];
/**
 * A shape pattern, such as "B T (H dh)" or "... D", alone or with more about the port
 */
export type PortDeclaration = string | PortSpec;
/**
 * A question to the engine: one JSON object, told apart by its command.
 */
export type Request =
  | AnalyzeRequest
  | ImportRequest
  | ListRequest
  | ReportRequest
  | ValidateRequest
  | ShowRequest
  | DiffRequest
  | ExplainRequest
  | ParseRequest
  | TextGenerateRequest
  | DevicesRequest;
/**
 * What the engine answers: a result with notes, or every reason there is none.
 */
export type Response =
  | FailureResponse
  | AnalyzeResponse
  | ImportResponse
  | ListResponse
  | ReportResponse
  | ValidateResponse
  | ShowResponse
  | ExplainResponse
  | DiffResponse
  | TextGenerateResponse
  | DevicesResponse
  | OtherResponse;
/**
 * One block, or every block where no path is given.
 */
export type ExplainResult = Explanation | Explanations;

/**
 * The kinds of JSON documents, by the names of their schemas.
 */
export interface Contract {
  design: DesignDocument;
  device: DeviceProfile;
  request: Request;
  response: Response;
}
/**
 * A model, as a graph of blocks over named quantities (*.tensorcad.json). What it is measured under (batch, lengths, number formats, devices) is never part of it.
 */
export interface DesignDocument {
  /**
   * Where this schema lies, for editors
   */
  $schema?: string | null;
  /**
   * Version of the document format
   */
  version: 1;
  meta: DesignMeta;
  /**
   * The design's named quantities by name ([A-Za-z_][A-Za-z0-9_]*), in an order that is kept. B (batch) and T (sequence length) exist even if undeclared, with defaults 1 and 2048; S (source length) exists only if declared as runtime
   */
  symbols?: {
    [k: string]: SymbolDefinition;
  } | null;
  graph: DesignGraph;
  /**
   * Blocks the design defines itself, by type name ([a-z][a-z0-9_]*, none of a built-in block)
   */
  defs?: {
    [k: string]: BlockDefinition;
  } | null;
  /**
   * Severity of rules by rule id: "error", "warning", "info", or "off"; anything else is listed among the overridden findings
   */
  rules?: {
    [k: string]: string;
  } | null;
  /**
   * Named sets of symbol values
   */
  configurations?: {
    [k: string]: Configuration;
  } | null;
  /**
   * The configuration in force; a name that is not among them means the values as written
   */
  active?: string | null;
  /**
   * State of an editor (positions, what is collapsed): kept as it is, never read
   */
  ui?: {
    [k: string]: unknown;
  };
}
export interface DesignMeta {
  /**
   * Name of the design
   */
  name: string;
  /**
   * Model family, such as "llama"
   */
  family?: string | null;
  /**
   * What the reader should know: facts and limits
   */
  notes?: string | null;
  published?: PublishedFigures | null;
  framework?: FrameworkConfig | null;
}
/**
 * What the model's makers say of it, to hold the computed figures against
 */
export interface PublishedFigures {
  /**
   * Parameters
   */
  params?: number | null;
  /**
   * Parameters that one token uses
   */
  activeParams?: number | null;
  /**
   * Cache of one token, bytes
   */
  kvBytesPerToken?: number | null;
  /**
   * Who says so
   */
  source?: string | null;
  /**
   * Relative difference from which on the computed figure is reported as drifting; 0.005 where absent
   */
  tolerance?: number | null;
}
/**
 * What a framework's own config says of the model beside its graph, for simulations of that framework
 */
export interface FrameworkConfig {
  /**
   * Hugging Face's model type
   */
  modelType: string;
  /**
   * Rows of the tables of rotary angles
   */
  positions?: number | null;
  /**
   * Token whose embedding is not trained
   */
  paddingId?: number | null;
}
/**
 * A quantity of the model
 */
export interface DesignSymbol {
  kind: 'design';
  value: Quantity;
  /**
   * What it counts
   */
  doc?: string | null;
}
/**
 * A quantity of the run: stays indeterminate in shapes
 */
export interface RuntimeSymbol {
  kind: 'runtime';
  /**
   * Value where numbers are needed and the request gives none; 1 where absent
   */
  default?: number | null;
  /**
   * What it counts
   */
  doc?: string | null;
}
export interface DesignGraph {
  /**
   * Blocks; ids are unique within the graph
   */
  nodes: DesignNode[];
  /**
   * Wires
   */
  edges: DesignEdge[];
}
export interface DesignNode {
  /**
   * Name of the block within its graph; paths join ids with "/"
   */
  id: string;
  /**
   * Type of a built-in block or of one in defs
   */
  type: string;
  /**
   * Name for drawings
   */
  label?: string | null;
  /**
   * Parameters by name
   */
  params?: {
    [k: string]: ParameterValue;
  } | null;
  /**
   * Body of a container (repeat, moe_experts), with one boundary_in and one boundary_out
   */
  graph?: DesignGraph | null;
  /**
   * Kept as it is
   */
  variants?: {
    [k: string]: unknown;
  };
}
/**
 * A block made of other blocks. "$name" in a parameter of its graph stands for the instance's own parameter; _in and _out are made from the ports and must not be written
 */
export interface BlockDefinition {
  /**
   * Heading in the catalog
   */
  category?: string;
  /**
   * Declared parameters by name
   */
  params?: {
    [k: string]: ParameterDeclaration;
  };
  ports: PortDeclarations;
  graph: DesignGraph;
  docs?: BlockDocs;
}
export interface ParameterDeclaration {
  /**
   * Kind of value
   */
  type: 'int' | 'num' | 'bool' | 'enum' | 'str' | 'pattern' | 'obj';
  /**
   * Value where an instance gives none; a parameter without is required
   */
  default?: {
    [k: string]: unknown;
  };
  /**
   * Least value
   */
  min?: number;
  /**
   * Greatest value
   */
  max?: number;
  /**
   * Choices of an enum
   */
  values?: string[];
  /**
   * What it means
   */
  doc?: string;
  /**
   * Heading in an editor
   */
  group?: string;
  /**
   * On which other parameters it depends, for editors
   */
  when?: {
    [k: string]: unknown;
  };
}
export interface PortDeclarations {
  /**
   * Input ports by name
   */
  in?: {
    [k: string]: PortDeclaration;
  };
  /**
   * Output ports by name
   */
  out?: {
    [k: string]: PortDeclaration;
  };
}
export interface PortSpec {
  /**
   * A shape pattern, such as "B T (H dh)" or "... D"
   */
  shape: string;
  /**
   * Class of the elements; inherit where absent
   */
  dtype?: 'float' | 'half' | 'fp8' | 'int' | 'bool' | 'real' | 'inherit';
  /**
   * Whether it may stay unconnected
   */
  optional?: boolean;
  /**
   * What an open port means
   */
  whenUnconnected?: string;
  /**
   * Side of the drawing
   */
  anchor?: 'flow' | 'side';
  /**
   * Whether drawings name it
   */
  showName?: boolean;
  /**
   * What it carries
   */
  doc?: string;
}
export interface BlockDocs {
  /**
   * What it does
   */
  summary?: string;
  /**
   * What it computes
   */
  formula?: string;
  /**
   * Where it comes from
   */
  refs?: string[];
}
/**
 * A view of the design with other values; the graph stays
 */
export interface Configuration {
  /**
   * What it is for
   */
  doc?: string | null;
  /**
   * Values that replace those of the symbols
   */
  symbols: {
    [k: string]: Quantity;
  };
}
/**
 * A device that models run on, and how it is linked to others of its kind. Rates are the dense peaks of the data sheet; how much of them is reached stands beside them, never multiplied in. A rate that is absent means that the unit does not support the format.
 */
export interface DeviceProfile {
  /**
   * Where this schema lies, for editors
   */
  $schema?: string | null;
  /**
   * Version of this format
   */
  schema_version: 1;
  /**
   * Short name used in requests and on the command line, such as "h100-sxm"
   */
  id: string;
  /**
   * Name for people
   */
  name: string;
  /**
   * Maker
   */
  vendor?: string | null;
  /**
   * Memory, bytes
   */
  memory_bytes: number;
  /**
   * Peak memory bandwidth, bytes/s
   */
  memory_bandwidth_bytes_per_s: number;
  /**
   * Share of the bandwidth that operators reach; 1 where absent
   */
  memory_efficiency?: number | null;
  /**
   * Peak dense rates of the matrix units, FLOP/s; a multiply-add counts two
   */
  matrix_flops_per_s: Peaks;
  /**
   * Peak rates of the vector units, FLOP/s
   */
  vector_flops_per_s?: Peaks | null;
  /**
   * Share of both peaks that operators reach; 1 where absent
   */
  compute_efficiency?: number | null;
  /**
   * Time an operator takes beyond its work and its traffic, s
   */
  static_cost_s?: StaticCosts | null;
  /**
   * Dimensions of the grid that such devices are linked in, outermost first; absent where a device stands alone or its links are unknown
   *
   * @minItems 1
   * @maxItems 8
   */
  grid?:
    | [GridLevel]
    | [GridLevel, GridLevel]
    | [GridLevel, GridLevel, GridLevel]
    | [GridLevel, GridLevel, GridLevel, GridLevel]
    | [GridLevel, GridLevel, GridLevel, GridLevel, GridLevel]
    | [GridLevel, GridLevel, GridLevel, GridLevel, GridLevel, GridLevel]
    | [GridLevel, GridLevel, GridLevel, GridLevel, GridLevel, GridLevel, GridLevel]
    | [GridLevel, GridLevel, GridLevel, GridLevel, GridLevel, GridLevel, GridLevel, GridLevel]
    | null;
  /**
   * Price of one device for one hour, US dollars
   */
  price_per_gpu_hour_dollars?: number | null;
  /**
   * Model FLOPs utilisation usually reached in training, lowest and highest; its middle is the default
   *
   * @minItems 2
   * @maxItems 2
   */
  mfu_range?: [number, number] | null;
  sources: Sources;
}
/**
 * Rates by number format, FLOP/s; a format without one is not supported.
 */
export interface Peaks {
  /**
   * 32-bit floating point
   */
  fp32?: number | null;
  /**
   * bfloat16
   */
  bf16?: number | null;
  /**
   * 16-bit floating point
   */
  fp16?: number | null;
  /**
   * 8-bit integers
   */
  int8?: number | null;
  /**
   * 8-bit floating point, either format
   */
  fp8?: number | null;
  /**
   * 4-bit floating point
   */
  fp4?: number | null;
}
/**
 * Seconds added to every operator of a kind; 0 where absent.
 */
export interface StaticCosts {
  /**
   * Operators with matrix work in a format that the matrix units support, s
   */
  matrix?: number | null;
  /**
   * Every other operator that takes time, s
   */
  vector?: number | null;
  /**
   * Collectives, s
   */
  collective?: number | null;
}
/**
 * One dimension of the grid, and what links devices that differ in it.
 */
export interface GridLevel {
  /**
   * Devices, or groups of them, along it
   */
  size: number;
  /**
   * clos: switched, any two at full bandwidth; full_mesh: a link to each other one, of which a group uses those among its members; clos where absent
   */
  topology?: 'clos' | 'full_mesh' | null;
  /**
   * Bandwidth of one device, one way, bytes/s
   */
  bandwidth_bytes_per_s: number;
  /**
   * Latency of one step, s
   */
  latency_s: number;
  /**
   * Share of the bandwidth that collectives reach; 1 where absent
   */
  efficiency?: number | null;
}
/**
 * Where each number comes from: the JSON Pointer of the number, or of a part that holds it -> a source; every number but schema_version has one
 */
export interface Sources {
  [k: string]: string;
}
/**
 * Parameters, FLOPs, cache, memory, throughput, cost. Give exactly one of preset, design and config.
 */
export interface AnalyzeRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'analyze';
  /**
   * Name of a design that comes with Roofbeam
   */
  preset?: string;
  design?: DesignDocument;
  /**
   * Text of a Hugging Face config.json, which is imported first
   */
  config?: string;
  options?: AnalysisOptions | null;
}
/**
 * The operating point: what the design is measured under.
 */
export interface AnalysisOptions {
  /**
   * Sequence length, tokens; the design's default where absent
   */
  T?: number | null;
  /**
   * Sequences in a batch; the design's default where absent
   */
  B?: number | null;
  /**
   * Source length, tokens; the design's default where absent
   */
  S?: number | null;
  /**
   * Number format of training; bf16 where absent
   */
  dtype?: 'fp32' | 'bf16' | 'fp16' | 'fp8' | null;
  /**
   * Number format of the weights when serving; dtype where absent
   */
  inference_dtype?: 'fp32' | 'bf16' | 'fp16' | 'fp8' | null;
  /**
   * Number format of the cache; inference_dtype where absent
   */
  kv_dtype?: 'fp32' | 'bf16' | 'fp16' | 'fp8' | null;
  /**
   * Whether weights are kept in dtype (mixed) or in fp32 and cast (autocast); mixed where absent
   */
  precision?: 'mixed' | 'autocast' | null;
  /**
   * Id of a device profile; h100-sxm where absent
   */
  hardware?: string | null;
  /**
   * Devices; dp x tp x pp of the layout where absent
   */
  gpus?: number | null;
  parallel?: ParallelOptions | null;
  /**
   * Optimizer, which sets the bytes a parameter takes in training; adamw where absent
   */
  optimizer?: 'adamw' | 'adamw8bit' | 'muon' | 'sgd_momentum' | 'sgd' | 'bf16_adam' | null;
  /**
   * What the backward pass computes again instead of keeping; none where absent
   */
  recompute?: 'none' | 'selective' | 'full' | null;
  /**
   * Whether attention runs fused; true where absent
   */
  flash?: boolean | null;
  /**
   * Training tokens; 20 for each non-embedding active parameter where absent
   */
  tokens?: number | null;
  /**
   * Model FLOPs utilisation; the middle of the device's range where absent
   */
  mfu?: number | null;
  /**
   * Share of the peak rate that decoding reaches where it is bound by compute; 0.3 where absent
   */
  decode_efficiency?: number | null;
  /**
   * Sequences served at once; 1 where absent
   */
  concurrency?: number | null;
  packing?: PackingOptions | null;
}
/**
 * How training is laid out over devices.
 */
export interface ParallelOptions {
  /**
   * Data-parallel replicas; 1 where absent
   */
  dp?: number | null;
  /**
   * Devices a layer's matrices are split over; 1 where absent
   */
  tp?: number | null;
  /**
   * Pipeline stages; 1 where absent
   */
  pp?: number | null;
  /**
   * Devices the experts are spread over; 1 where absent
   */
  ep?: number | null;
  /**
   * ZeRO stage: what the replicas share out among themselves. 0 nothing, 1 optimizer state, 2 gradients too, 3 weights too; 0 where absent
   */
  zero?: number | null;
  /**
   * Whether tensor parallelism also splits the activations between the matrices; false where absent
   */
  sequence_parallel?: boolean | null;
}
/**
 * Lengths of the documents packed into a sequence, for masks that keep documents apart.
 */
export interface PackingOptions {
  /**
   * Mean document length, tokens
   */
  mean: number;
  /**
   * Coefficient of variation of the lengths; 0 where absent
   */
  spread?: number | null;
}
/**
 * Makes a design of a Hugging Face config.json.
 */
export interface ImportRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'import';
  /**
   * Text of a Hugging Face config.json, which is imported first
   */
  config: string;
  /**
   * Name of the design; taken from the config where absent
   */
  name?: string | null;
}
/**
 * Designs, device profiles and importable model types.
 */
export interface ListRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'list';
}
/**
 * Counts of every preset against what was published.
 */
export interface ReportRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'report';
}
/**
 * Findings of the design rules. Give exactly one of preset, design and config.
 */
export interface ValidateRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'validate';
  /**
   * Name of a design that comes with Roofbeam
   */
  preset?: string;
  design?: DesignDocument;
  /**
   * Text of a Hugging Face config.json, which is imported first
   */
  config?: string;
  options?: AnalysisOptions | null;
}
/**
 * The tree of blocks with the shapes of their outputs. Give exactly one of preset, design and config.
 */
export interface ShowRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'show';
  /**
   * Name of a design that comes with Roofbeam
   */
  preset?: string;
  design?: DesignDocument;
  /**
   * Text of a Hugging Face config.json, which is imported first
   */
  config?: string;
  /**
   * Whether the inside of composites is shown too; false where absent
   */
  expand?: boolean | null;
}
/**
 * What differs between two designs, in structure and in figures.
 */
export interface DiffRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'diff';
  a: ModelSource;
  b: ModelSource;
  options?: AnalysisOptions | null;
}
/**
 * A model. Give exactly one of preset, design and config.
 */
export interface ModelSource {
  /**
   * Name of a design that comes with Roofbeam
   */
  preset?: string;
  design?: DesignDocument;
  /**
   * Text of a Hugging Face config.json, which is imported first
   */
  config?: string;
}
/**
 * What a block is and what it costs. Give exactly one of preset, design and config.
 */
export interface ExplainRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'explain';
  /**
   * Name of a design that comes with Roofbeam
   */
  preset?: string;
  design?: DesignDocument;
  /**
   * Text of a Hugging Face config.json, which is imported first
   */
  config?: string;
  /**
   * Path of a block, such as "layers/block/attn"; every block where absent
   */
  path?: string | null;
  options?: AnalysisOptions | null;
  /**
   * Head whose mask is drawn, from 0; 0 where absent
   */
  head?: number | null;
}
/**
 * The document as the engine understands it, in canonical form. Give exactly one of preset, design and config.
 */
export interface ParseRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'parse';
  /**
   * Name of a design that comes with Roofbeam
   */
  preset?: string;
  design?: DesignDocument;
  /**
   * Text of a Hugging Face config.json, which is imported first
   */
  config?: string;
}
/**
 * One prefill or decode step, operator by operator, on a device. Give exactly one of preset, design and config.
 */
export interface TextGenerateRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'text-generate';
  /**
   * Name of a design that comes with Roofbeam
   */
  preset?: string;
  design?: DesignDocument;
  /**
   * Text of a Hugging Face config.json, which is imported first
   */
  config?: string;
  options: StepOptions;
}
/**
 * One step of one replica, and how the model is quantized and laid out.
 */
export interface StepOptions {
  /**
   * Id of a device profile; TEST_DEVICE where absent, or the first of device_profile
   */
  device?: string | null;
  /**
   * A device profile of your own, or a list of them
   */
  device_profile?: DeviceProfile | [DeviceProfile, ...DeviceProfile[]] | null;
  /**
   * Devices of the whole run; 1 where absent
   */
  num_devices?: number | null;
  /**
   * Memory kept free, GiB; 0 where absent
   */
  reserved_memory_gb?: number | null;
  /**
   * Requests over all replicas
   */
  num_queries: number;
  /**
   * New tokens of each request
   */
  query_length: number;
  /**
   * Tokens in the cache already; 0 where absent
   */
  context_length?: number | null;
  /**
   * A decode step instead of a prefill; false where absent
   */
  decode?: boolean | null;
  /**
   * Share of each prompt found in the cache, at least 0 and below 1; 0 where absent
   */
  prefix_cache_hit_rate?: number | null;
  /**
   * Multi-token-prediction modules that run; 0 where absent
   */
  num_mtp_tokens?: number | null;
  /**
   * Only the first so many layers; all where absent or 0
   */
  num_hidden_layers_override?: number | null;
  /**
   * Equal layers are run one by one, with the same numbers unless they are compiled; false where absent
   */
  no_repetition?: boolean | null;
  /**
   * Operators are fused as the framework's compiler does; false where absent
   */
  compile?: boolean | null;
  /**
   * How linears are stored and run; W8A8_DYNAMIC where absent
   */
  quantize_linear_action?:
    | 'DISABLED'
    | 'W8A16_STATIC'
    | 'W8A8_STATIC'
    | 'W4A8_STATIC'
    | 'W8A16_DYNAMIC'
    | 'W8A8_DYNAMIC'
    | 'W4A8_DYNAMIC'
    | 'FP8'
    | 'MXFP4'
    | null;
  /**
   * The same of every linear but the routed experts'; DISABLED means as the others
   */
  quantize_non_expert_linear_action?:
    | 'DISABLED'
    | 'W8A16_STATIC'
    | 'W8A8_STATIC'
    | 'W4A8_STATIC'
    | 'W8A16_DYNAMIC'
    | 'W8A8_DYNAMIC'
    | 'W4A8_DYNAMIC'
    | 'FP8'
    | 'MXFP4'
    | null;
  /**
   * Format of the cache and of the products with it; DISABLED where absent
   */
  quantize_attention_action?: 'DISABLED' | 'INT8' | 'FP8' | null;
  /**
   * Makes no difference, as in the reference; false where absent
   */
  quantize_lmhead?: boolean | null;
  /**
   * Elements that share a scale; 32 where absent
   */
  mxfp4_group_size?: number | null;
  /**
   * Tensor parallel ranks; 1 where absent
   */
  tp_size?: number | null;
  /**
   * Data parallel replicas; derived where absent
   */
  dp_size?: number | null;
  /**
   * Pipeline stages; 1 where absent
   */
  pp_size?: number | null;
  /**
   * Ranks that share a decode context; 1 where absent
   */
  dcp_size?: number | null;
  /**
   * Expert parallel ranks; 1 where absent
   */
  ep_size?: number | null;
  /**
   * Ranks each expert is cut among; derived where absent
   */
  moe_tp_size?: number | null;
  /**
   * Replicas of the experts; 1 where absent
   */
  moe_dp_size?: number | null;
  /**
   * Tensor parallel ranks of attention's output projection; tp_size where absent
   */
  o_proj_tp_size?: number | null;
  /**
   * Replicas of attention's output projection; derived where absent
   */
  o_proj_dp_size?: number | null;
  /**
   * Tensor parallel ranks of dense MLPs; tp_size where absent
   */
  mlp_tp_size?: number | null;
  /**
   * Replicas of dense MLPs; derived where absent
   */
  mlp_dp_size?: number | null;
  /**
   * Tensor parallel ranks of the head; tp_size where absent
   */
  lmhead_tp_size?: number | null;
  /**
   * Replicas of the head; derived where absent
   */
  lmhead_dp_size?: number | null;
  /**
   * How the table of words is cut; replicated where absent
   */
  word_embedding_tp?: 'col' | 'row' | null;
  /**
   * One more expert on each rank; false where absent
   */
  enable_redundant_experts?: boolean | null;
  /**
   * Shared experts are cut among the ranks; false where absent
   */
  enable_shared_expert_tp?: boolean | null;
  /**
   * Shared experts have ranks of their own; false where absent
   */
  enable_external_shared_experts?: boolean | null;
  /**
   * The simulated rank hosts shared experts; false where absent
   */
  host_external_shared_experts?: boolean | null;
  /**
   * Rows of the table are told apart by the shapes of operands; false where absent
   */
  dump_input_shapes?: boolean | null;
  /**
   * Rows of the table tell what holds them up; false where absent
   */
  dump_op_bound_results?: boolean | null;
  /**
   * Text is comma-separated values; false where absent
   */
  csv?: boolean | null;
  /**
   * The result is a timeline in Trace Event Format; false where absent
   */
  chrome_trace?: boolean | null;
}
/**
 * Every device a step can be simulated on.
 */
export interface DevicesRequest {
  /**
   * Version of the request format
   */
  schema_version: 1;
  command: 'devices';
  /**
   * A device profile of your own, or a list of them
   */
  device_profile?: DeviceProfile | [DeviceProfile, ...DeviceProfile[]] | null;
}
export interface FailureResponse {
  ok: false;
  /**
   * Everything that is wrong with the request, not only the first
   *
   * @minItems 1
   */
  diagnostics: [Diagnostic, ...Diagnostic[]];
}
/**
 * One thing wrong, or one thing that could not be represented.
 */
export interface Diagnostic {
  /**
   * Stable, for programs: "json.unknown_key"
   */
  code: string;
  /**
   * JSON Pointer to the value at fault; empty for the whole
   */
  path: string;
  /**
   * What was found and what was wanted
   */
  message: string;
  /**
   * How to mend it; may be empty
   */
  hint: string;
}
/**
 * The answer to analyze.
 */
export interface AnalyzeResponse {
  ok: true;
  result: AnalyzeResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
export interface AnalyzeResult {
  /**
   * Name of the design
   */
  name: string;
  options: ResolvedOptions;
  hardware: HardwareSummary;
  params: ParameterFigures;
  flops: FlopFigures;
  kv: CacheFigures;
  memory: MemoryFigures;
  throughput: ThroughputFigures;
  cost: CostFigures;
  chinchilla: ChinchillaFigures;
  /**
   * Parameters of every block that has any, copies included, by path
   */
  params_by_path: {
    [k: string]: number | null;
  };
  /**
   * Forward FLOPs per token of every block that has any, by path
   */
  flops_by_path: {
    [k: string]: number | null;
  };
  /**
   * Bytes kept for the backward pass, by path of the block whose output is kept or that creates them
   */
  activations_by_path: {
    [k: string]: number | null;
  };
  verdict?: FitVerdict;
  /**
   * Findings of the design rules, gravest first
   */
  findings: Finding[];
  /**
   * Remarks on the figures
   */
  notes: string[];
}
/**
 * The operating point with every default filled in.
 */
export interface ResolvedOptions {
  /**
   * Sequence length, tokens
   */
  T: number;
  /**
   * Sequences in a batch
   */
  B: number;
  /**
   * Source length, tokens; null where the design has no source
   */
  S: number | null;
  /**
   * Number format of training
   */
  dtype: 'fp32' | 'bf16' | 'fp16' | 'fp8';
  /**
   * Number format of the weights when serving
   */
  inference_dtype: 'fp32' | 'bf16' | 'fp16' | 'fp8';
  /**
   * Number format of the cache
   */
  kv_dtype: 'fp32' | 'bf16' | 'fp16' | 'fp8';
  /**
   * Whether weights are kept in dtype (mixed) or in fp32 and cast (autocast)
   */
  precision: 'mixed' | 'autocast';
  /**
   * Id of a device profile
   */
  hardware: string;
  /**
   * Devices
   */
  gpus: number;
  parallel: ResolvedParallel;
  /**
   * Optimizer, which sets the bytes a parameter takes in training
   */
  optimizer: 'adamw' | 'adamw8bit' | 'muon' | 'sgd_momentum' | 'sgd' | 'bf16_adam';
  /**
   * What the backward pass computes again instead of keeping
   */
  recompute: 'none' | 'selective' | 'full';
  /**
   * Whether attention runs fused
   */
  flash: boolean;
  /**
   * Training tokens; null where a symbol it needs has no value
   */
  tokens: number | null;
  /**
   * Model FLOPs utilisation
   */
  mfu: number;
  /**
   * Share of the peak rate that decoding reaches where it is bound by compute
   */
  decode_efficiency: number;
  /**
   * Sequences served at once
   */
  concurrency: number;
  /**
   * Null where no packing was asked for
   */
  packing: ResolvedPacking | null;
  /**
   * Whether the training tokens are 20 for each non-embedding active parameter because none were given
   */
  tokens_were_defaulted: boolean;
}
/**
 * How training is laid out over devices.
 */
export interface ResolvedParallel {
  /**
   * Data-parallel replicas
   */
  dp: number;
  /**
   * Devices a layer's matrices are split over
   */
  tp: number;
  /**
   * Pipeline stages
   */
  pp: number;
  /**
   * Devices the experts are spread over
   */
  ep: number;
  /**
   * ZeRO stage: what the replicas share out among themselves. 0 nothing, 1 optimizer state, 2 gradients too, 3 weights too
   */
  zero: number;
  /**
   * Whether tensor parallelism also splits the activations between the matrices
   */
  sequence_parallel: boolean;
}
/**
 * Lengths of the documents packed into a sequence.
 */
export interface ResolvedPacking {
  /**
   * Mean document length, tokens
   */
  mean: number;
  /**
   * Coefficient of variation of the lengths
   */
  spread: number;
}
export interface HardwareSummary {
  /**
   * Short name
   */
  id: string;
  /**
   * Name for people
   */
  name: string;
  /**
   * Memory, bytes
   */
  memory_bytes: number;
  /**
   * Peak memory bandwidth, bytes/s
   */
  bandwidth_bytes_per_s: number;
  /**
   * Peak dense bf16 rate, FLOP/s; null if the device has none
   */
  bf16_flops_per_s: number | null;
  /**
   * Peak dense fp8 rate, FLOP/s; null if the device has none
   */
  fp8_flops_per_s: number | null;
  /**
   * Price of one device for one hour, US dollars; null if unknown
   */
  price_per_gpu_hour_dollars: number | null;
  /**
   * Model FLOPs utilisation usually reached in training, lowest and highest; null if unknown
   *
   * @minItems 2
   * @maxItems 2
   */
  mfu_range: [number, number] | null;
}
/**
 * Parameters, every copy counted, shared weights once.
 */
export interface ParameterFigures {
  /**
   * All parameters; null where a symbol it needs has no value
   */
  total: number | null;
  /**
   * Parameters that one token uses; null where a symbol it needs has no value
   */
  active: number | null;
  /**
   * Parameters of token and position embeddings; null where a symbol it needs has no value
   */
  embedding: number | null;
  /**
   * Parameters of output heads; null where a symbol it needs has no value
   */
  head: number | null;
  /**
   * All but the embeddings; the head stays in; null where a symbol it needs has no value
   */
  non_embedding: number | null;
  /**
   * Parameters one token uses, without the embeddings; null where a symbol it needs has no value
   */
  non_embedding_active: number | null;
  /**
   * Parameters of all experts; null where a symbol it needs has no value
   */
  expert: number | null;
  /**
   * Parameters by category of block
   */
  by_category: {
    [k: string]: number | null;
  };
}
/**
 * FLOPs per token of the target; a multiply-add counts two.
 */
export interface FlopFigures {
  /**
   * Forward work that does not depend on the sequence length; null where a symbol it needs has no value
   */
  fwd_dense: number | null;
  /**
   * Forward work that grows with the sequence length, over the pairs that masks and windows leave; null where a symbol it needs has no value
   */
  fwd_attention: number | null;
  /**
   * The same over all pairs, as profilers report it; null where a symbol it needs has no value
   */
  fwd_attention_unmasked: number | null;
  /**
   * Elementwise operations, in no other figure; null where a symbol it needs has no value
   */
  elementwise: number | null;
  /**
   * Forward work, dense and attention; null where a symbol it needs has no value
   */
  fwd_total: number | null;
  /**
   * Forward work with attention over all pairs; null where a symbol it needs has no value
   */
  fwd_total_unmasked: number | null;
  /**
   * Forward and backward work, with what is computed again; null where a symbol it needs has no value
   */
  train_per_token: number | null;
  /**
   * Share of attention in the forward work, 0 to 1; null where a symbol it needs has no value
   */
  attention_share: number | null;
  /**
   * Twice the non-embedding active parameters; null where a symbol it needs has no value
   */
  rule_of_thumb2_n: number | null;
  /**
   * Six times the non-embedding active parameters; null where a symbol it needs has no value
   */
  rule_of_thumb6_n: number | null;
  /**
   * Only where the design has a source: one entry for each stream
   */
  per_stream?: StreamFlops[];
  /**
   * Only where the design has a source: forward work of one pair of source and target; null where a symbol it needs has no value
   */
  fwd_per_example?: number | null;
  packed?: PackedFlops;
  /**
   * Forward work by category of block, FLOPs per token
   */
  by_category: {
    [k: string]: number | null;
  };
}
/**
 * Forward work of one stream.
 */
export interface StreamFlops {
  /**
   * Length symbol of the stream
   */
  symbol: 'S' | 'T';
  /**
   * Its length, tokens; null where a symbol it needs has no value
   */
  length: number | null;
  /**
   * Forward FLOPs per token of this stream; null where a symbol it needs has no value
   */
  fwd: number | null;
}
/**
 * Figures over packed documents; only where packing was asked for and a mask reads documents.
 */
export interface PackedFlops {
  /**
   * Forward attention FLOPs per token; null where a symbol it needs has no value
   */
  fwd_attention: number | null;
  /**
   * Forward FLOPs per token; null where a symbol it needs has no value
   */
  fwd_total: number | null;
  /**
   * Training FLOPs per token; null where a symbol it needs has no value
   */
  train_per_token: number | null;
  /**
   * Share of attention, 0 to 1; null where a symbol it needs has no value
   */
  attention_share: number | null;
  /**
   * Forward attention FLOPs per token over whole kernel blocks that cannot be skipped; null where a symbol it needs has no value
   */
  fwd_attention_blocks: number | null;
}
/**
 * Cache and recurrent state when serving.
 */
export interface CacheFigures {
  /**
   * Growth for each token, bytes; null where a symbol it needs has no value
   */
  bytes_per_token: number | null;
  /**
   * What a sequence takes whatever its length (windows, states, source), bytes; null where a symbol it needs has no value
   */
  bytes_per_sequence_fixed: number | null;
  /**
   * What a sequence of T tokens takes, bytes; null where a symbol it needs has no value
   */
  bytes_per_sequence?: number | null;
  /**
   * Growth for each token if latents were stored decompressed, bytes; null where a symbol it needs has no value
   */
  bytes_per_token_decompressed: number | null;
}
/**
 * Device memory.
 */
export interface MemoryFigures {
  train: TrainingMemory;
  infer: ServingMemory;
}
/**
 * Memory of a training step, whole model.
 */
export interface TrainingMemory {
  /**
   * Weights, bytes; null where a symbol it needs has no value
   */
  weights: number | null;
  /**
   * Gradients, bytes; null where a symbol it needs has no value
   */
  grads: number | null;
  /**
   * Optimizer state with master weights, bytes; null where a symbol it needs has no value
   */
  optimizer: number | null;
  /**
   * What the backward pass needs, logits and cast weights included, bytes; null where a symbol it needs has no value
   */
  activations: number | null;
  /**
   * Logits and their fp32 copy, part of the activations, bytes; null where a symbol it needs has no value
   */
  logits: number | null;
  /**
   * Half-precision copies of weights under autocast, part of the activations, bytes; null where a symbol it needs has no value
   */
  cast_weights: number | null;
  /**
   * All, bytes; null where a symbol it needs has no value
   */
  total: number | null;
  per_gpu: TrainingMemoryPerGpu;
  /**
   * The optimizer in words, with its bytes per parameter
   */
  optimizer_label?: string;
  /**
   * Whether each device's share fits
   */
  fits: boolean;
}
/**
 * Memory of a training step on the fullest device.
 */
export interface TrainingMemoryPerGpu {
  /**
   * Weights, bytes; null where a symbol it needs has no value
   */
  weights: number | null;
  /**
   * Gradients, bytes; null where a symbol it needs has no value
   */
  grads: number | null;
  /**
   * Optimizer state, bytes; null where a symbol it needs has no value
   */
  optimizer: number | null;
  /**
   * Activations, bytes; null where a symbol it needs has no value
   */
  activations: number | null;
  /**
   * All, bytes; null where a symbol it needs has no value
   */
  total: number | null;
}
/**
 * Memory of serving, all sequences at full length.
 */
export interface ServingMemory {
  /**
   * Weights, bytes; null where a symbol it needs has no value
   */
  weights: number | null;
  /**
   * Caches of all sequences, bytes; null where a symbol it needs has no value
   */
  kv: number | null;
  /**
   * Working space, a fifth of weights and caches, bytes; null where a symbol it needs has no value
   */
  overhead: number | null;
  /**
   * All, bytes; null where a symbol it needs has no value
   */
  total: number | null;
  /**
   * Whether it fits the device
   */
  fits: boolean;
}
/**
 * Serving speed by the roofline: the slower of memory and compute, no interconnect, no latency.
 */
export interface ThroughputFigures {
  /**
   * FLOPs per byte from which on the device is bound by compute; null where a symbol it needs has no value
   */
  ridge_point: number | null;
  /**
   * Bytes one decoding step reads; null where a symbol it needs has no value
   */
  decode_bytes_per_step: number | null;
  /**
   * Of these, weights; experts as far as the batch is expected to hit them; null where a symbol it needs has no value
   */
  decode_weight_bytes: number | null;
  /**
   * Weights in memory, bytes; null where a symbol it needs has no value
   */
  resident_weight_bytes: number | null;
  /**
   * FLOPs of one decoding step; null where a symbol it needs has no value
   */
  decode_flops_per_step: number | null;
  /**
   * Seconds of one decoding step; null where a symbol it needs has no value
   */
  decode_seconds_per_step: number | null;
  /**
   * Tokens per second of all sequences together; null where a symbol it needs has no value
   */
  decode_tokens_per_second: number | null;
  /**
   * Whether decoding is bound by memory
   */
  memory_bound: boolean;
  /**
   * Seconds to read prompts of T tokens; null where a symbol it needs has no value
   */
  prefill_seconds: number | null;
}
/**
 * Cost of the training run.
 */
export interface CostFigures {
  /**
   * FLOPs of the run; null where a symbol it needs has no value
   */
  total_flops: number | null;
  /**
   * Device hours; null where a symbol it needs has no value
   */
  gpu_hours: number | null;
  /**
   * Hours on all devices; null where a symbol it needs has no value
   */
  wall_clock_hours: number | null;
  /**
   * Price, US dollars; null where a symbol it needs has no value
   */
  dollars: number | null;
  /**
   * Training tokens; null where a symbol it needs has no value
   */
  tokens: number | null;
  /**
   * Model FLOPs utilisation assumed, 0 to 1
   */
  mfu: number;
}
/**
 * The token budget against the compute-optimal one.
 */
export interface ChinchillaFigures {
  /**
   * 20 tokens for each non-embedding active parameter; null where a symbol it needs has no value
   */
  optimal_tokens: number | null;
  /**
   * Tokens for each parameter; null where a symbol it needs has no value
   */
  tokens_per_param: number | null;
  /**
   * Tokens for each active parameter; null where a symbol it needs has no value
   */
  tokens_per_active_param: number | null;
  /**
   * Tokens over the optimal ones; null where a symbol it needs has no value
   */
  over_training_ratio: number | null;
  predicted_loss: PredictedLoss;
  /**
   * The ratio in words
   */
  verdict?: string;
}
/**
 * Loss the scaling laws predict, nats per token, 12 decimals.
 */
export interface PredictedLoss {
  /**
   * With the constants of Hoffmann et al. 2022; null where a symbol it needs has no value
   */
  hoffmann: number | null;
  /**
   * With the constants Epoch refitted in 2024; null where a symbol it needs has no value
   */
  epoch: number | null;
}
/**
 * Whether it fits the device, one sentence each.
 */
export interface FitVerdict {
  /**
   * Whether a training step fits, and what takes the room
   */
  training: string;
  /**
   * Whether serving fits, and what takes the room
   */
  serving: string;
}
/**
 * Something the design rules say about a design that could be read.
 */
export interface Finding {
  /**
   * Stable: "shape", "SDPA-01", "vocab-padding"
   */
  rule: string;
  /**
   * How bad it is
   */
  severity: 'error' | 'warning' | 'info';
  /**
   * The block, "layers/block/attn"; null for the whole design
   */
  path: string | null;
  /**
   * The block's port
   */
  port: string | null;
  /**
   * The block's parameter
   */
  param: string | null;
  /**
   * What is the matter
   */
  message: string;
  /**
   * How to mend it; may be empty
   */
  hint: string;
}
/**
 * The answer to import.
 */
export interface ImportResponse {
  ok: true;
  result: ImportResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
export interface ImportResult {
  doc: DesignDocument;
  /**
   * What the design does not represent faithfully
   */
  warnings: Diagnostic[];
  params: ParameterFigures;
  kv: CacheFigures;
}
/**
 * The answer to list.
 */
export interface ListResponse {
  ok: true;
  result: ListResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
export interface ListResult {
  /**
   * Designs that come with Roofbeam
   */
  presets: PresetSummary[];
  /**
   * Device profiles
   */
  hardware: HardwareSummary[];
  /**
   * Values of model_type that import reads
   */
  model_types: string[];
}
export interface PresetSummary {
  /**
   * Name, as requests give it
   */
  name: string;
  /**
   * Model family
   */
  family: string | null;
  /**
   * Parameters its makers publish
   */
  published_params: number | null;
  /**
   * Facts and limits
   */
  notes: string | null;
  /**
   * Name of the design
   */
  title: string;
}
/**
 * The answer to report.
 */
export interface ReportResponse {
  ok: true;
  result: ReportResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
export interface ReportResult {
  /**
   * Whether every design is within its tolerance
   */
  ok: boolean;
  designs: PublishedComparison[];
}
/**
 * One preset's counts against what its makers published
 */
export interface PublishedComparison {
  /**
   * Name, as requests give it
   */
  name: string;
  /**
   * Whether every published figure is met within the tolerance
   */
  ok: boolean;
  params: PublishedFigure;
  active_params: PublishedFigure;
  kv_bytes_per_token: PublishedFigure;
  /**
   * Relative
   */
  tolerance: number;
  /**
   * Where the figures were published
   */
  source: string | null;
}
export interface PublishedFigure {
  /**
   * As counted
   */
  computed: number;
  /**
   * As published
   */
  published: number | null;
  /**
   * (computed - published) / published
   */
  relative_difference: number | null;
}
/**
 * The answer to validate.
 */
export interface ValidateResponse {
  ok: true;
  result: ValidateResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
export interface ValidateResult {
  /**
   * Whether no finding is an error
   */
  ok: boolean;
  counts: SeverityCounts;
  /**
   * Findings of the design rules: gravest first, then by path, what is about the whole design before the rest, then by port
   */
  findings: Finding[];
  /**
   * Findings that the design's own rules regrade or drop
   */
  overridden: OverriddenFinding[];
}
/**
 * How many findings there are of each severity.
 */
export interface SeverityCounts {
  error: number;
  warning: number;
  info: number;
}
/**
 * A finding that the design's own rules regrade or drop.
 */
export interface OverriddenFinding {
  /**
   * Id of the rule
   */
  rule: string;
  /**
   * The block; null for the whole design
   */
  path: string | null;
  /**
   * Its own severity
   */
  from: 'error' | 'warning' | 'info';
  /**
   * The severity the design gives it, "off" where it is dropped; a value that is neither stands behind a question mark and changes nothing
   */
  to: string;
}
/**
 * The answer to show.
 */
export interface ShowResponse {
  ok: true;
  result: ShowResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
export interface ShowResult {
  /**
   * Name of the design
   */
  name: string;
  /**
   * Its blocks, in the order of the design
   */
  tree: ShownBlock[];
}
/**
 * A block with what is inside it.
 */
export interface ShownBlock {
  /**
   * Where it is: "layers/block/attn"
   */
  path: string;
  /**
   * Its id, the last part of the path
   */
  id: string;
  /**
   * Type of block
   */
  type: string;
  /**
   * unknown where no block has that type or the id is taken
   */
  kind: 'primitive' | 'composite' | 'container' | 'unknown';
  /**
   * What the design calls it
   */
  label: string | null;
  /**
   * Parameters of one copy, everything inside included; null where a symbol it needs has no value
   */
  params: number | null;
  /**
   * Copies that a repeat container makes of what is in it; null for other blocks
   */
  repeat: number | null;
  /**
   * Parameters of the block that are given, as they are written
   */
  arguments: {
    [k: string]: unknown;
  };
  /**
   * Its output ports
   */
  outputs: ShownOutput[];
  /**
   * What is inside: of containers, and with expand of composites
   */
  children: ShownBlock[];
}
/**
 * An output port and where it goes.
 */
export interface ShownOutput {
  /**
   * Name of the port
   */
  port: string;
  /**
   * In the design's symbols: "B T D"; null where it is not known
   */
  shape: string | null;
  /**
   * With the values of the design's symbols: "B T 4096"; null where it is not known
   */
  numeric_shape: string | null;
  /**
   * Inputs that read it: "node:port" of the same graph
   */
  to: string[];
}
/**
 * The answer to explain.
 */
export interface ExplainResponse {
  ok: true;
  result: ExplainResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
/**
 * What a block is and what it costs.
 */
export interface Explanation {
  /**
   * Where it is
   */
  path: string;
  /**
   * Type of block
   */
  type: string;
  /**
   * Kind of block
   */
  kind: 'primitive' | 'composite' | 'container';
  /**
   * What the design calls it
   */
  label: string | null;
  docs: BlockDocs1;
  copies: BlockCopies;
  /**
   * Parameters of the block, in the order it declares them
   */
  params: {
    [k: string]: ExplainedParameter;
  };
  ports: PortPatterns;
  shapes: PortShapes;
  contribution: BlockContribution;
  /**
   * The primitives with weights inside it, largest first
   *
   * @maxItems 12
   */
  breakdown:
    | []
    | [BlockPart]
    | [BlockPart, BlockPart]
    | [BlockPart, BlockPart, BlockPart]
    | [BlockPart, BlockPart, BlockPart, BlockPart]
    | [BlockPart, BlockPart, BlockPart, BlockPart, BlockPart]
    | [BlockPart, BlockPart, BlockPart, BlockPart, BlockPart, BlockPart]
    | [BlockPart, BlockPart, BlockPart, BlockPart, BlockPart, BlockPart, BlockPart]
    | [BlockPart, BlockPart, BlockPart, BlockPart, BlockPart, BlockPart, BlockPart, BlockPart]
    | [
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart
      ]
    | [
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart
      ]
    | [
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart
      ]
    | [
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart,
        BlockPart
      ];
  /**
   * What the first attention in it sees; null where it has none, where that reads another stream, or where the mask has errors, and where every block is explained
   */
  mask: MaskView | null;
}
/**
 * What the catalog says of a type of block.
 */
export interface BlockDocs1 {
  /**
   * Name for people
   */
  name: string;
  /**
   * One sentence
   */
  summary: string;
  /**
   * In the block's own letters; may be empty
   */
  formula: string;
  /**
   * Sources
   */
  refs: string[];
}
/**
 * How often the block stands in the model.
 */
export interface BlockCopies {
  /**
   * Copies; null where a symbol it needs has no value
   */
  total: number | null;
  /**
   * Copies that one token passes through; null where a symbol it needs has no value
   */
  active: number | null;
}
/**
 * A parameter of a block.
 */
export interface ExplainedParameter {
  /**
   * The expression it is written as; null where it is a plain value
   */
  expression: string | null;
  /**
   * What it comes to; null where it is not set or not known
   */
  value: {
    [k: string]: unknown;
  };
  /**
   * What it means; may be empty
   */
  doc: string;
}
/**
 * Patterns of its ports, by name.
 */
export interface PortPatterns {
  in: {
    [k: string]: string;
  };
  out: {
    [k: string]: string;
  };
}
/**
 * Shapes at its ports, by name, in the design's symbols; null where not known.
 */
export interface PortShapes {
  in: {
    [k: string]: string | null;
  };
  out: {
    [k: string]: string | null;
  };
}
/**
 * What a block adds to the design, everything inside it and all copies included.
 */
export interface BlockContribution {
  /**
   * Parameters; null where a symbol it needs has no value
   */
  params: number | null;
  /**
   * Parameters that one token uses; null where a symbol it needs has no value
   */
  active_params: number | null;
  /**
   * Share of the design's parameters, 0 to 1; null where that has none
   */
  share_of_params: number | null;
  /**
   * Forward FLOPs per token; null where a symbol it needs has no value
   */
  flops_per_token: number | null;
  /**
   * Share of the design's forward FLOPs, 0 to 1; null where that has none
   */
  share_of_flops: number | null;
  /**
   * Kept for the backward pass, bytes; null where a symbol it needs has no value
   */
  activation_bytes: number | null;
  /**
   * Cache of one token, bytes, at 2 bytes an element; null where a symbol it needs has no value
   */
  cache_bytes_per_token: number | null;
  /**
   * Cache and state that a sequence takes whatever its length, bytes, at 2 bytes an element; null where a symbol it needs has no value
   */
  cache_bytes_per_sequence: number | null;
}
/**
 * A primitive inside a block.
 */
export interface BlockPart {
  /**
   * Where it is
   */
  path: string;
  /**
   * Type of block
   */
  type: string;
  /**
   * Parameters, all copies; null where a symbol it needs has no value
   */
  params: number | null;
}
/**
 * Which pairs of queries and keys an attention looks at, as a picture.
 */
export interface MaskView {
  /**
   * The attention
   */
  path: string;
  /**
   * The head that is drawn, from 0
   */
  head: number;
  /**
   * Heads there are
   */
  heads: number;
  /**
   * Tokens along each side
   */
  length: number;
  /**
   * Cells along each side
   */
  cells: number;
  /**
   * The part of each cell's pairs that count, row after row: queries downwards, keys to the right
   */
  kept: number[];
}
/**
 * Every block of the design itself.
 */
export interface Explanations {
  /**
   * Name of the design
   */
  name: string;
  /**
   * Largest first
   */
  blocks: Explanation[];
}
/**
 * The answer to diff.
 */
export interface DiffResponse {
  ok: true;
  result: DiffResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
export interface DiffResult {
  /**
   * Name of the one design
   */
  a: string;
  /**
   * Name of the other
   */
  b: string;
  /**
   * Whether symbols, definitions, blocks and wires are the same
   */
  identical: boolean;
  at: DiffPoint;
  symbols: SymbolDifferences;
  definitions: DefinitionDifferences;
  blocks: BlockDifferences;
  edges: WireDifferences;
  /**
   * Figures of both
   */
  metrics: MetricDifference[];
}
/**
 * What both are measured at.
 */
export interface DiffPoint {
  /**
   * Sequence length, tokens; the larger of the designs' defaults unless given
   */
  T: number;
  /**
   * Sequences in a batch, likewise
   */
  B: number;
  /**
   * Source length, tokens, likewise; null where neither has a source
   */
  S: number | null;
  /**
   * Id of the device profile
   */
  hardware: string;
}
/**
 * Symbols, under the active configurations.
 */
export interface SymbolDifferences {
  /**
   * Only in b
   */
  added: NamedSymbol[];
  /**
   * Only in a
   */
  removed: NamedSymbol[];
  /**
   * In both, written otherwise
   */
  changed: ChangedSymbol[];
}
/**
 * A symbol that one of two designs has.
 */
export interface NamedSymbol {
  /**
   * Its name
   */
  name: string;
  /**
   * A number or an expression; of a runtime symbol an object with its default
   */
  written: {
    [k: string]: unknown;
  };
  /**
   * What it comes to; null where a symbol it needs has no value
   */
  value: number | null;
}
/**
 * A symbol that two designs write differently.
 */
export interface ChangedSymbol {
  /**
   * Its name
   */
  name: string;
  /**
   * A number or an expression; of a runtime symbol an object with its default
   */
  from: {
    [k: string]: unknown;
  };
  /**
   * A number or an expression; of a runtime symbol an object with its default
   */
  to: {
    [k: string]: unknown;
  };
  /**
   * What it comes to in a
   */
  from_value: number | null;
  /**
   * What it comes to in b
   */
  to_value: number | null;
}
/**
 * Types of blocks that the designs define themselves.
 */
export interface DefinitionDifferences {
  added: string[];
  removed: string[];
  changed: string[];
}
/**
 * Blocks, by path.
 */
export interface BlockDifferences {
  /**
   * Only in b
   */
  added: NamedBlock[];
  /**
   * Only in a
   */
  removed: NamedBlock[];
  /**
   * In both, with other settings
   */
  changed: ChangedBlock[];
}
/**
 * A block that one of two designs has.
 */
export interface NamedBlock {
  /**
   * Where it is
   */
  path: string;
  /**
   * Type of block
   */
  type: string;
}
/**
 * A block that two designs set differently.
 */
export interface ChangedBlock {
  /**
   * Where it is
   */
  path: string;
  /**
   * Null where equal
   */
  type: ChangedText | null;
  /**
   * Null where equal
   */
  label: ChangedText | null;
  /**
   * Parameters that differ
   */
  params: ChangedParameter[];
}
/**
 * A text that two designs write differently; null where absent.
 */
export interface ChangedText {
  from: string | null;
  to: string | null;
}
/**
 * A parameter that two designs write differently; null where absent.
 */
export interface ChangedParameter {
  /**
   * Its name
   */
  name: string;
  from: unknown;
  to: unknown;
}
/**
 * Wires.
 */
export interface WireDifferences {
  /**
   * Only in b
   */
  added: NamedWire[];
  /**
   * Only in a
   */
  removed: NamedWire[];
}
/**
 * A wire that one of two designs has.
 */
export interface NamedWire {
  /**
   * Path of the container it is in; "<root>" outside of all
   */
  graph: string;
  /**
   * The producer, "node:port"
   */
  from: string;
  /**
   * The consumer, "node:port"
   */
  to: string;
}
/**
 * A figure of two designs.
 */
export interface MetricDifference {
  /**
   * Stable: "params", "kv_bytes_per_token"
   */
  id: string;
  /**
   * The figure in words
   */
  label: string;
  /**
   * What it is measured in
   */
  unit: 'count' | 'flops' | 'bytes';
  /**
   * Of a; null where a symbol it needs has no value
   */
  a: number | null;
  /**
   * Of b; null where a symbol it needs has no value
   */
  b: number | null;
  /**
   * b less a; null where a symbol it needs has no value
   */
  delta: number | null;
  /**
   * b over a; null where a is 0 or either is not known
   */
  ratio: number | null;
}
/**
 * The answer to text-generate.
 */
export interface TextGenerateResponse {
  ok: true;
  result: TextGenerateResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
/**
 * Time and memory of one step on one rank. total_s, ops and signatures are those of the last pipeline stage.
 */
export interface TextGenerateResult {
  /**
   * Sum of all operators, s
   */
  total_s: number;
  /**
   * When the last operator ends, transfers between stages included, s
   */
  execution_time_s: number;
  /**
   * Tokens per second of one device: queries x query length / (execution time x devices)
   */
  tps_per_device: number | null;
  memory: StepMemory;
  bounds: StepBounds;
  /**
   * Pipeline stages; one without a pipeline
   */
  stages: StepStage[];
  /**
   * Operators by total time, longest first
   */
  ops: StepOperator[];
  /**
   * Equal calls together: [operator, inputs, output, seconds a call, calls, statistics]; views left out
   */
  signatures: unknown[][];
  /**
   * What is assumed or left out
   */
  warnings: string[];
}
/**
 * Memory of the stage that needs most, bytes.
 */
export interface StepMemory {
  /**
   * The device has
   */
  total_bytes: number;
  /**
   * Weights, scales and tables of rotary angles
   */
  weights_bytes: number;
  /**
   * Caches, an indexer's included
   */
  kv_bytes: number;
  /**
   * An indexer's cache
   */
  indexer_bytes: number;
  /**
   * Peak of activations as the reference counts it, which frees a buffer once for every view of it
   */
  activation_bytes: number;
  /**
   * Peak of activations when a buffer lives from where it is written to where it or a view of it is read last
   */
  activation_liveness_bytes: number;
  /**
   * Kept free
   */
  reserved_bytes: number;
  /**
   * Left, with the larger figure of the activations; negative where the step does not fit
   */
  available_bytes: number;
}
/**
 * Time by what holds the device up: of each call the dominant part alone.
 */
export interface StepBounds {
  /**
   * Memory traffic, s
   */
  memory_bound_s: number;
  /**
   * Exchanges between devices, s
   */
  communication_bound_s: number;
  /**
   * Matrix units, s
   */
  compute_bound_mma_s: number;
  /**
   * Vector units, s
   */
  compute_bound_gp_s: number;
}
/**
 * One pipeline stage.
 */
export interface StepStage {
  /**
   * Sum of its operators, s
   */
  compute_s: number;
  /**
   * Transfer to the next stage, s
   */
  outgoing_s: number;
  /**
   * Its operators by total time
   */
  ops: StepOperator[];
}
/**
 * Calls of one operator together.
 */
export interface StepOperator {
  /**
   * Full name in the framework
   */
  name: string;
  /**
   * All calls, s
   */
  total_s: number;
  /**
   * One call on average, s
   */
  avg_s: number;
  /**
   * Calls
   */
  calls: number;
}
/**
 * The answer to devices.
 */
export interface DevicesResponse {
  ok: true;
  result: DevicesResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
/**
 * Device profiles.
 */
export interface DevicesResult {
  /**
   * Profiles without their sources; given ones first
   */
  devices: Device[];
}
/**
 * A device profile.
 */
export interface Device {
  schema_version: 1;
  /**
   * Short name
   */
  id: string;
  /**
   * Name for people
   */
  name: string;
  /**
   * Maker
   */
  vendor: string | null;
  /**
   * Memory, bytes
   */
  memory_bytes: number;
  /**
   * Peak bandwidth, bytes/s
   */
  memory_bandwidth_bytes_per_s: number;
  /**
   * Share of it that operators reach
   */
  memory_efficiency: number;
  matrix_flops_per_s: Peaks;
  vector_flops_per_s: Peaks;
  /**
   * Share of the peaks that operators reach
   */
  compute_efficiency: number;
  static_cost_s: StaticCosts;
  /**
   * Dimensions of the grid, outermost first; null where links are unknown
   */
  grid: GridLevel[] | null;
  /**
   * Price, US dollars; null if unknown
   */
  price_per_gpu_hour_dollars: number | null;
  /**
   * Utilisation usually reached in training; null if unknown
   *
   * @minItems 2
   * @maxItems 2
   */
  mfu_range: [number, number] | null;
}
/**
 * The answer to parse.
 */
export interface OtherResponse {
  ok: true;
  result: OtherResult;
  /**
   * Remarks on the answer
   */
  notes: string[];
}
/**
 * A result of its own kind for each command
 */
export interface OtherResult {
  [k: string]: unknown;
}
