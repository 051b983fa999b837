// Columns to choose from, under their names for people.

export function ColumnOptions({
  columns,
  toValue = (name) => name,
}: {
  readonly columns: readonly { readonly attribute: string; readonly attribute_label?: string | null }[];
  readonly toValue?: (name: string) => string;
}) {
  return columns.map(({ attribute, attribute_label: label }) => (
    <option key={attribute} value={toValue(attribute)}>
      {label ?? attribute}
    </option>
  ));
}
