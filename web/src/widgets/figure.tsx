import type { ComponentChildren } from 'preact';
import type { Quantity } from '../format/quantity';

// A number of the engine with its unit; the exact value in the tooltip.
export function Figure({ quantity }: { readonly quantity: Quantity }) {
  return (
    <data class="figure" value={quantity.value ?? ''} title={quantity.exact}>
      <span class="figure-number">{quantity.number}</span>{' '}
      <span class="figure-unit">{quantity.unit}</span>
    </data>
  );
}

interface RowProps {
  readonly label: string;
  readonly quantity: Quantity;
  readonly kind?: 'main' | 'part';
}

// One line of a readout: what, how much.
export function Row({ label, quantity, kind }: RowProps) {
  return (
    <div class={kind ? `row row-${kind}` : 'row'}>
      <dt>{label}</dt>
      <dd>
        <Figure quantity={quantity} />
      </dd>
    </div>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

export function Section({ id, title, children }: SectionProps) {
  return (
    <section class="section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}
