import type { ExplainedMask } from '../engine/results';

// What a head's queries (downwards) see of the keys (to the right): one cell's ink is the share kept.
export function MaskGrid({
  mask,
  label,
}: {
  readonly mask: ExplainedMask;
  readonly label: string;
}) {
  const { cells, kept } = mask;
  return (
    <svg class="mask-grid" viewBox={`0 0 ${cells} ${cells}`} role="img" aria-label={label}>
      <rect class="mask-ground" width={cells} height={cells} />
      {kept.map((share, index) =>
        share === null || share === 0 ? null : (
          <rect
            key={index}
            class="mask-cell"
            x={index % cells}
            y={Math.floor(index / cells)}
            width="1"
            height="1"
            fill-opacity={share}
          />
        ),
      )}
    </svg>
  );
}
