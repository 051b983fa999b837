// A cell that can be written: Enter, F2 or a double click begin, Enter keeps, Escape leaves it as it was, Tab keeps and goes on.

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { type FormField, inputText } from '../../../lib/edit/feature-form.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { failureText, fieldMessage } from '../../../lib/server-message.ts';
import { useUnsaved } from '../../../lib/unsaved.ts';
import { Control, faultText } from '../edit/FeatureFields.tsx';
import type { CellEdit, CellPlace } from './use-cell-edit.ts';

export function EditableCell({
  place,
  field,
  edit,
  shown,
  className,
  isFirst,
}: {
  readonly place: CellPlace;
  readonly field: FormField;
  readonly edit: CellEdit;
  readonly shown: ReactNode;
  readonly className: string;
  /** Where Tab enters the table. */
  readonly isFirst: boolean;
}) {
  const t = useText();
  const cell = useRef<HTMLTableCellElement>(null);
  const { open, trouble } = edit;
  const isHere = (other: CellPlace | undefined): boolean => other?.id === place.id && other.field === place.field;
  const isOpen = isHere(open);
  const was = isOpen && open !== undefined ? inputText(open.stored.properties[field.name], field) : '';
  const [typed, setTyped] = useState<string>();
  useUnsaved(isOpen && typed !== undefined && typed !== was);
  const wrong =
    trouble === undefined || !isHere(trouble)
      ? undefined
      : 'fault' in trouble
        ? faultText(t, trouble.fault)
        : ((trouble.failure.kind === 'invalid'
            ? fieldMessage(
                t,
                trouble.failure.said.filter((one) => one.field === field.name),
              )
            : undefined) ?? failureText(t, trouble.failure));
  const begin = async (): Promise<void> => {
    setTyped(undefined);
    await edit.begin(place);
  };
  // When it is there: the row is read anew before.
  useEffect(() => {
    if (isOpen) cell.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [isOpen]);
  const finish = async (to: number): Promise<void> => {
    if (await edit.commit(typed ?? was, was)) focusBeside(cell.current, to);
  };
  const press = (event: KeyboardEvent): void => {
    if (isOpen) {
      if (event.key === 'Escape') {
        edit.cancel();
        cell.current?.focus();
      } else if (event.key === 'Enter') void finish(0);
      else if (event.key === 'Tab') void finish(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === 'Enter' || event.key === 'F2') void begin();
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
      focusBeside(cell.current, event.key === 'ArrowRight' ? 1 : -1);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      focusBelow(cell.current, event.key === 'ArrowDown' ? 1 : -1);
    else return;
    event.preventDefault();
  };
  return (
    <td
      ref={cell}
      className={`${className} editable-cell${wrong === undefined ? '' : ' bad'}`}
      data-editable={field.isReadOnly ? undefined : 'true'}
      tabIndex={isFirst ? 0 : -1}
      onDoubleClick={() => void begin()}
      onKeyDown={press}
    >
      {isOpen ? (
        <Control
          wired={{
            'aria-label': field.title,
            className: 'input small',
            ...(wrong === undefined ? {} : { 'aria-invalid': true }),
          }}
          field={field}
          text={typed ?? was}
          onCommit={(text) => setTyped(text)}
        />
      ) : (
        shown
      )}
      {wrong !== undefined && (
        <span className="wrong small-text" role="alert">
          {wrong}
        </span>
      )}
    </td>
  );
}

function focusBeside(cell: HTMLElement | null, by: number): void {
  const cells = [...(cell?.closest('tbody')?.querySelectorAll<HTMLElement>('td.editable-cell') ?? [])];
  const at = cell === null ? -1 : cells.indexOf(cell);
  cells[at + by]?.focus();
}

function focusBelow(cell: HTMLElement | null, by: number): void {
  const row = cell?.closest('tr');
  const cells = [...(row?.querySelectorAll<HTMLElement>('td.editable-cell') ?? [])];
  const other = by > 0 ? row?.nextElementSibling : row?.previousElementSibling;
  const at = cell === null ? -1 : cells.indexOf(cell);
  other?.querySelectorAll<HTMLElement>('td.editable-cell')[at]?.focus();
}
