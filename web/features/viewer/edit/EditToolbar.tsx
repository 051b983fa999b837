// The tools of an edit session, on the map. Each is a button with a key; keys count while the focus is in the viewer and in no field.

import { useEffect, useRef, useState } from 'react';
import { useText } from '../../../lib/i18n/text.ts';
import { IconButton } from '../../../ui/Button.tsx';
import type { IconName } from '../../../ui/Icon.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import type { Editor, EditTool } from './use-editor.ts';

const TOOLS: Readonly<Record<EditTool, { readonly icon: IconName; readonly key: string }>> = {
  select: { icon: 'pointer', key: 's' },
  point: { icon: 'point', key: 'p' },
  line: { icon: 'line', key: 'l' },
  polygon: { icon: 'polygon', key: 'g' },
  move: { icon: 'move', key: 'm' },
  reshape: { icon: 'vertices', key: 'v' },
  prune: { icon: 'minus', key: 'r' },
  cut: { icon: 'cut', key: 'x' },
};

const ORDER: readonly EditTool[] = ['select', 'point', 'line', 'polygon', 'move', 'reshape', 'prune', 'cut'];

type Command = {
  readonly key: string;
  readonly icon: IconName;
  readonly name: string;
  readonly isOn?: boolean;
  readonly isOff: boolean;
  readonly run: () => void;
};

export function EditToolbar({ editor }: { readonly editor: Editor }) {
  const t = useText();
  const { tools, tool, kinds, session, selected, dispatch } = editor;
  const shown = ORDER.filter(
    (one) => !['point', 'line', 'polygon'].includes(one) || kinds.some((kind) => kind === one),
  );
  const keys = selected.map(({ key }) => key);
  const [isMerging, setMerging] = useState(false);
  const commands: readonly Command[] = [
    ...shown.map((one) => ({
      ...TOOLS[one],
      name: t(`edit.tool.${one}`),
      isOn: tool === one,
      isOff: !tools.includes(one),
      run: () => editor.setTool(one),
    })),
    {
      key: 'a',
      icon: 'several',
      name: t('edit.several'),
      isOn: editor.isSeveral,
      isOff: false,
      run: () => editor.setSeveral(!editor.isSeveral),
    },
    ...(editor.isMulti
      ? [
          {
            key: 'o',
            icon: 'plus' as const,
            name: t('edit.part'),
            isOn: editor.isPart,
            isOff: selected.length !== 1,
            run: () => editor.setPart(!editor.isPart),
          },
        ]
      : []),
    {
      key: 'j',
      icon: 'merge',
      name: t('edit.merge'),
      isOff: !editor.canMerge || editor.isBusy,
      run: () => setMerging(true),
    },
    {
      key: 'Delete',
      icon: 'trash',
      name: t('edit.delete'),
      isOff: keys.length === 0,
      run: () => dispatch({ kind: 'delete', keys }),
    },
    {
      key: 'n',
      icon: 'magnet',
      name: t('edit.snap'),
      isOn: editor.isSnapping,
      isOff: false,
      run: () => editor.setSnapping(!editor.isSnapping),
    },
    {
      key: 'Ctrl+Z',
      icon: 'undo',
      name: t('edit.undo'),
      isOff: session.past.length === 0,
      run: () => dispatch({ kind: 'undo' }),
    },
    {
      key: 'Ctrl+Y',
      icon: 'redo',
      name: t('edit.redo'),
      isOff: session.future.length === 0,
      run: () => dispatch({ kind: 'redo' }),
    },
  ];
  const now = useRef(commands);
  now.current = commands;
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const viewer = bar.current?.closest<HTMLElement>('.viewer');
    if (viewer == null) return;
    const press = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest('input, select, textarea, dialog') !== null;
      if (isTyping || event.altKey) return;
      const isControl = event.ctrlKey || event.metaKey;
      const pressed = isControl
        ? event.shiftKey && event.key.toLowerCase() === 'z'
          ? 'Ctrl+Y'
          : `Ctrl+${event.key.toUpperCase()}`
        : event.key;
      const command = now.current.find(({ key }) => key === pressed);
      if (command === undefined || command.isOff) return;
      event.preventDefault();
      command.run();
    };
    viewer.addEventListener('keydown', press);
    return () => viewer.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <div className="edit-toolbar" role="toolbar" aria-label={t('edit.tools')} ref={bar}>
        {commands.map(({ key, icon, name, isOn, isOff, run }) => (
          <IconButton
            key={key}
            icon={icon}
            name={`${name} (${t.find(`key.${key}`) ?? key.toUpperCase()})`}
            aria-keyshortcuts={key.replace('Ctrl', 'Control')}
            aria-pressed={isOn}
            disabled={isOff}
            onClick={run}
          />
        ))}
      </div>
      {isMerging && (
        <MergeDialog
          features={selected}
          fields={editor.form?.fields ?? []}
          onMerge={(into) => {
            setMerging(false);
            editor.merge(into);
          }}
          onClose={() => setMerging(false)}
        />
      )}
    </>
  );
}
