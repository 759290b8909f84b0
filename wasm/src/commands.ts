// Which result belongs to which command.
import type {
  AnalyzeResult,
  DevicesResult,
  DiffResult,
  ExplainResult,
  ImportResult,
  ListResult,
  ReportResult,
  OtherResult,
  Request,
  ShowResult,
  TextGenerateResult,
  ValidateResult,
} from './contract.js';

export type CommandName = Request['command'];

/** The result of each command. */
export interface Results extends Record<CommandName, object> {
  analyze: AnalyzeResult;
  import: ImportResult;
  list: ListResult;
  report: ReportResult;
  validate: ValidateResult;
  show: ShowResult;
  diff: DiffResult;
  explain: ExplainResult;
  'text-generate': TextGenerateResult;
  devices: DevicesResult;
  parse: OtherResult;
}

export type RequestOf<Command extends CommandName> = Extract<Request, { command: Command }>;

/** What a request holds beside its command and the schema's version. */
export type Parameters<Command extends CommandName> = Omit<
  RequestOf<Command>,
  'command' | 'schema_version'
>;

/** The answer to a request that could be answered. */
export interface Answer<Command extends CommandName> {
  readonly result: Results[Command];
  /** Remarks on the result. */
  readonly notes: readonly string[];
}
