import { ShareBar } from '../charts/share-bar';
import * as format from '../format/quantity';
import { text } from '../text/en';
import { Figure } from '../widgets/figure';

// Parameters by category, largest first, each drawn against the largest.
export function CategoryTable({
  categories,
}: {
  readonly categories: Readonly<Record<string, number | null>>;
}) {
  const rows = Object.entries(categories)
    .map(([name, value]) => ({ name, value: value ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const largest = rows[0]?.value ?? 0;
  if (rows.length === 0) return null;
  return (
    <table class="bars">
      <caption>{text.overview.byCategory}</caption>
      <tbody>
        {rows.map(({ name, value }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="bars-bar">
              <ShareBar value={value} largest={largest} />
            </td>
            <td class="bars-figure">
              <Figure quantity={format.count(value, 'parameters')} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
