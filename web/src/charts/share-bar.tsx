// One value against the largest of its column.
export function ShareBar({ value, largest }: { readonly value: number; readonly largest: number }) {
  const width = largest > 0 ? (100 * value) / largest : 0;
  return (
    <svg class="share-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="share-bar-track" x="0" y="0" width="100" height="4" />
      <rect class="share-bar-value" x="0" y="0" width={width} height="4" />
    </svg>
  );
}
