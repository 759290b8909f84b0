import { useId } from 'preact/hooks';

// A stacked bar drawn to the larger of its total and the capacity, with a mark at the capacity. Plain SVG:
// rectangles stretch with the bar, and every part is also a line of the table beside it, which is what a
// screen reader reads.

export interface BarPart {
  readonly id: string;
  readonly value: number;
  readonly tone: 1 | 2 | 3 | 4 | 5;
  readonly title: string;
  readonly hatched?: number; // how much of the part is hatched, from its end
}

interface StackedBarProps {
  readonly parts: readonly BarPart[];
  readonly capacity?: number;
  readonly label: string;
}

const kWidth = 1000;
const kHeight = 28;

export function StackedBar({ parts, capacity, label }: StackedBarProps) {
  const hatch = useId();
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  const extent = Math.max(total, capacity ?? 0);
  const x = (value: number) => (extent > 0 ? (kWidth * value) / extent : 0);
  let start = 0;
  return (
    <svg
      class="stacked-bar"
      viewBox={`0 0 ${kWidth} ${kHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <defs>
        <pattern
          id={hatch}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <line class="hatch-line" x1="0" y1="0" x2="0" y2="6" />
        </pattern>
      </defs>
      {capacity !== undefined && (
        <rect class="bar-free" x="0" y="4" width={x(capacity)} height={kHeight - 8} />
      )}
      {parts.map(({ id, value, tone, title, hatched }) => {
        const from = start;
        start += value;
        return (
          <g key={id}>
            <rect
              class={`bar-part tone-${tone}`}
              x={x(from)}
              y="4"
              width={x(value)}
              height={kHeight - 8}
            >
              <title>{title}</title>
            </rect>
            {hatched !== undefined && hatched > 0 && (
              <rect
                class="bar-hatch"
                x={x(start - hatched)}
                y="4"
                width={x(hatched)}
                height={kHeight - 8}
                fill={`url(#${hatch})`}
              />
            )}
          </g>
        );
      })}
      {capacity !== undefined && capacity < total && (
        <rect
          class="bar-over"
          x={x(capacity)}
          y="4"
          width={x(total - capacity)}
          height={kHeight - 8}
        />
      )}
      {capacity !== undefined && (
        <line class="bar-capacity" x1={x(capacity)} x2={x(capacity)} y1="0" y2={kHeight} />
      )}
    </svg>
  );
}
