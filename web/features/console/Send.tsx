// A request: sent from here in the reader's name, and as code to be copied.

import { useState } from 'react';
import { bearer } from '../../api/rest.ts';
import { prettyJson } from '../../lib/exact-json.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { type ConsoleRequest, SNIPPET_LANGUAGES, type SnippetLanguage, snippetOf } from '../../lib/snippets.ts';
import { Button } from '../../ui/Button.tsx';
import { copyText } from '../../ui/CopyField.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { type MadeToken, NewTokenDialog } from '../account/NewTokenDialog.tsx';
import { ConfirmAll } from './ConfirmAll.tsx';

type Reply = { readonly status: number; readonly ms: number; readonly range: string | null; readonly text: string };
const LABELS = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const;
const MAX_SHOWN = 100_000;

export function Send({
  request,
  all,
}: {
  readonly request: ConsoleRequest;
  /** The table of which it would change or delete every row. */
  readonly all?: { readonly table: string; readonly method: 'PATCH' | 'DELETE' } | undefined;
}) {
  const t = useText();
  const { user } = useSession();
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const [reply, setReply] = useState<Reply | 'sending'>();
  const [isAsking, setAsking] = useState(false);
  const isSignedIn = user !== null && user !== undefined;
  // Never the token of the page: one that was made for the code, and can be revoked.
  const [made, setMade] = useState<MadeToken>();
  const [isMaking, setMaking] = useState(false);
  const shown: ConsoleRequest = isSignedIn
    ? { ...request, headers: { ...request.headers, Authorization: `Bearer ${made?.token ?? '<token>'}` } }
    : request;
  const snippet = snippetOf(language, shown);
  const run = async (): Promise<void> => {
    setReply('sending');
    const token = await bearer(isSignedIn);
    const began = performance.now();
    try {
      const answer = await fetch(request.url, {
        method: request.method,
        headers: { ...request.headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
        body: request.body === '' ? null : request.body,
      });
      const text = await answer.text();
      setReply({
        status: answer.status,
        ms: performance.now() - began,
        range: answer.headers.get('Content-Range'),
        text: prettyJson(text),
      });
    } catch {
      setReply({ status: 0, ms: 0, range: null, text: t('failure.offline.text') });
    }
  };
  return (
    <div className="stack">
      <Tabs
        label={t('console.code')}
        chosen={language}
        onChoose={setLanguage}
        tabs={SNIPPET_LANGUAGES.map((name) => ({ name, label: LABELS[name] }))}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <pre className="code" tabIndex={0}>
          {snippet}
        </pre>
      </Tabs>
      {isSignedIn && made === undefined && <p className="soft small-text">{t('console.token-hint')}</p>}
      {made !== undefined && (
        <p className="notice" role="status">
          {t('console.has-token', { name: made.name })}
        </p>
      )}
      <div className="row">
        <Button
          look="primary"
          icon="code"
          disabled={reply === 'sending'}
          onClick={() => (all === undefined ? void run() : setAsking(true))}
        >
          {t('console.send')}
        </Button>
        <Button icon="copy" onClick={() => void copyText(snippet, t('copied'))}>
          {t('console.copy')}
        </Button>
        {isSignedIn && made === undefined && (
          <Button icon="lock" onClick={() => setMaking(true)}>
            {t('console.with-token')}
          </Button>
        )}
      </div>
      {isMaking && (
        <NewTokenDialog
          scope={request.method === 'GET' ? 'read' : 'write'}
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
          }}
        />
      )}
      {isAsking && all !== undefined && (
        <ConfirmAll
          {...all}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            void run();
          }}
        />
      )}
      {reply !== undefined && reply !== 'sending' && (
        <section className="stack tight" aria-label={t('console.reply')}>
          <p className="row tight" role="status">
            <span className={reply.status >= 200 && reply.status < 300 ? 'badge good' : 'badge bad'}>
              {reply.status}
            </span>
            <span className="soft small-text number">{Math.round(reply.ms)} ms</span>
            {reply.range !== null && <span className="soft small-text number">{reply.range}</span>}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <pre className="code reply" tabIndex={0}>
            {reply.text.slice(0, MAX_SHOWN)}
          </pre>
        </section>
      )}
    </div>
  );
}
