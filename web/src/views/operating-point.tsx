import { useId, useState } from 'preact/hooks';
import type { Diagnostic } from 'roofbeam';
import { useStore } from '../state/context';
import {
  kGroups,
  kOptionFields,
  optionAt,
  resolvedOption,
  setOption,
  typedNumber,
  type OptionField,
  type OptionGroup,
  type OptionValue,
} from '../state/options';
import { text } from '../text/en';

const t = text.options;

// The question: on what, how, how much. An untouched control shows the value the engine resolved.
export function OperatingPointControls() {
  const store = useStore();
  const { point } = store.state.value;
  return (
    <form class="point" aria-label={t.title} onSubmit={(event) => event.preventDefault()}>
      {kGroups.map((group) =>
        group === 'more' ? <MoreOptions key={group} /> : <OptionFields key={group} group={group} />,
      )}
      {Object.keys(point).length > 0 && (
        <button
          type="button"
          class="link point-reset"
          aria-label={t.resetName}
          onClick={() => store.update((state) => ({ ...state, point: {} }))}
        >
          {t.reset}
        </button>
      )}
    </form>
  );
}

function MoreOptions() {
  const store = useStore();
  const { point } = store.state.value;
  const touched = kOptionFields.some(
    ({ group, id }) => group === 'more' && point[id] !== undefined,
  );
  const wrong = store.answer.value.diagnostics.some(({ path }) => {
    const id = optionAt(path);
    return kOptionFields.some((field) => field.id === id && field.group === 'more');
  });
  return (
    <details class="more" open={touched || wrong}>
      <summary>{t.groups.more}</summary>
      <OptionFields group="more" />
    </details>
  );
}

function OptionFields({ group }: { readonly group: OptionGroup }) {
  return (
    <fieldset class={`group group-${group}`}>
      <legend>{t.groups[group]}</legend>
      <div class="group-fields">
        {kOptionFields
          .filter((field) => field.group === group)
          .map((field) => (
            <OptionControl key={field.id} field={field} />
          ))}
      </div>
    </fieldset>
  );
}

function OptionControl({ field }: { readonly field: OptionField }) {
  const store = useStore();
  const id = useId();
  const { label, name } = t.fields[field.id];
  const { result, diagnostics } = store.answer.value;
  const problems = diagnostics.filter(({ path }) => optionAt(path) === field.id);
  const set = store.state.value.point[field.id];
  const resolved = result && resolvedOption(result.options, field);
  const change = (value: OptionValue | undefined) =>
    store.update((state) => ({ ...state, point: setOption(state.point, field.id, value) }));
  const shared: ControlProps = {
    id,
    field,
    set,
    resolved,
    change,
    problems,
    errorId: `${id}-problem`,
  };
  return (
    <div class={`option option-${field.id} ${set === undefined ? 'option-default' : 'option-set'}`}>
      <label for={id} title={name}>
        {label}
      </label>
      <Control {...shared} />
      {problems.length > 0 && (
        <p class="option-problem" id={shared.errorId}>
          {problems
            .map(({ message, hint }) => (hint === '' ? message : `${message}; ${hint}`))
            .join('. ')}
        </p>
      )}
    </div>
  );
}

interface ControlProps {
  readonly id: string;
  readonly field: OptionField;
  readonly set: OptionValue | undefined;
  readonly resolved: OptionValue | undefined;
  readonly change: (value: OptionValue | undefined) => void;
  readonly problems: readonly Diagnostic[];
  readonly errorId: string;
}

function described({ problems, errorId }: ControlProps) {
  return problems.length > 0
    ? ({ 'aria-invalid': true, 'aria-describedby': errorId } as const)
    : {};
}

function Control(props: ControlProps) {
  const { control } = props.field;
  switch (control.kind) {
    case 'number':
      return <NumberControl {...props} />;
    case 'choice':
      return (
        <ChoiceControl
          {...props}
          choices={control.choices.map((value) => ({ value, label: t.choice(value) }))}
        />
      );
    case 'zero':
      return (
        <ChoiceControl
          {...props}
          choices={control.choices.map((value) => ({ value, label: String(value) }))}
        />
      );
    case 'device':
      return <DeviceControl {...props} />;
    case 'flag':
      return (
        <ChoiceControl
          {...props}
          choices={[
            { value: true, label: t.on },
            { value: false, label: t.off },
          ]}
        />
      );
  }
}

// While it has the focus the field shows what is being typed; otherwise the value in force.
function NumberControl(props: ControlProps) {
  const { id, field, set, resolved, change } = props;
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const shown = draft ?? numberText(set ?? resolved);
  return (
    <input
      id={id}
      type="text"
      inputMode="decimal"
      autocomplete="off"
      spellcheck={false}
      aria-label={t.fields[field.id].name}
      value={shown}
      onFocus={(event) => {
        setDraft(numberText(set ?? resolved));
        event.currentTarget.select();
      }}
      onInput={(event) => {
        setDraft(event.currentTarget.value);
        change(typedNumber(event.currentTarget.value));
      }}
      onBlur={() => setDraft(undefined)}
      {...described(props)}
    />
  );
}

// Every digit: this is what will be computed with.
function numberText(value: OptionValue | undefined): string {
  return value === undefined ? '' : String(value);
}

interface Choice {
  readonly value: OptionValue;
  readonly label: string;
}

function ChoiceControl(props: ControlProps & { readonly choices: readonly Choice[] }) {
  const { id, field, set, resolved, change, choices } = props;
  const value = set ?? resolved;
  const known = choices.some((choice) => choice.value === value);
  return (
    <select
      id={id}
      aria-label={t.fields[field.id].name}
      value={value === undefined ? '' : String(value)}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        change(choices.find((choice) => String(choice.value) === chosen)?.value);
      }}
      {...described(props)}
    >
      {!known && (
        <option value={value === undefined ? '' : String(value)}>
          {value === undefined ? '' : String(value)}
        </option>
      )}
      {choices.map((choice) => (
        <option key={String(choice.value)} value={String(choice.value)}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

function DeviceControl(props: ControlProps) {
  const store = useStore();
  const devices = store.list.value?.hardware ?? [];
  return (
    <ChoiceControl
      {...props}
      choices={devices.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
