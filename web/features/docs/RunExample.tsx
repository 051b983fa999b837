// A button that sends an example to this server as the reader, and shows what it answers. The address can be changed and sent again; what
// writes asks first.

import { useId, useState } from 'react';
import { type ExampleReply, tryExample } from '../../api/try-example.ts';
import type { DocRequest } from '../../lib/docs/doc-page.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Link } from '../../ui/Link.tsx';

export function RunExample({ request }: { readonly request: DocRequest }) {
  const t = useText();
  const id = useId();
  const { user } = useSession();
  const [path, setPath] = useState(request.path);
  const [reply, setReply] = useState<ExampleReply | 'sending' | 'offline'>();
  const [isAsking, setAsking] = useState(false);
  const isSignedIn = user !== null && user !== undefined;
  const isWrite = request.method !== 'GET';
  const send = async (): Promise<void> => {
    setAsking(false);
    setReply('sending');
    setReply((await tryExample({ ...request, path }, isSignedIn)) ?? 'offline');
  };
  const start = (): void => (isWrite ? setAsking(true) : void send());
  return (
    <form
      className="doc-run"
      lang={t.language}
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <div className="row tight">
        <Button type="submit" small look={reply === undefined ? 'plain' : 'primary'} disabled={reply === 'sending'}>
          {reply === undefined ? t('docs.run') : t('docs.run-again')}
        </Button>
        {reply === undefined ? (
          <code className="doc-address">
            {request.method} {path}
          </code>
        ) : (
          <>
            <label htmlFor={id} className="soft small-text">
              {request.method}
            </label>
            <input
              id={id}
              className="input small code-input grow"
              aria-label={t('docs.address')}
              value={path}
              maxLength={4000}
              spellCheck={false}
              onChange={(event) => setPath(event.target.value)}
            />
          </>
        )}
      </div>
      {reply === 'offline' && <p role="status">{t('failure.offline.text')}</p>}
      {typeof reply === 'object' && <Reply reply={reply} path={path} />}
      {isAsking && (
        <Dialog
          title={t('docs.write-title')}
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button onClick={() => setAsking(false)}>{t('action.cancel')}</Button>
              <Button look="primary" onClick={() => void send()}>
                {t('docs.run')}
              </Button>
            </>
          }
        >
          <div className="stack tight">
            <p>{isSignedIn ? t('docs.write-text', { name: user.username }) : t('docs.write-as-visitor')}</p>
            <pre className="code">
              {request.method} {path}
              {request.body === undefined ? '' : `\n\n${request.body}`}
            </pre>
          </div>
        </Dialog>
      )}
    </form>
  );
}

function Reply({ reply, path }: { readonly reply: ExampleReply; readonly path: string }) {
  const t = useText();
  const isMissing = reply.status === 404 && path.startsWith('/rest/');
  return (
    <section className="stack tight" aria-label={t('console.reply')}>
      <p role="status" className="row tight">
        <span className={reply.status >= 200 && reply.status < 300 ? 'badge good' : 'badge bad'}>{reply.status}</span>
        <span className="soft small-text">{reply.type}</span>
      </p>
      {isMissing && (
        <p className="small-text">
          {t('docs.no-such-table')} <Link to="/console">{t('nav.console')}</Link>
        </p>
      )}
      {reply.text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <pre className="code reply" tabIndex={0} lang="en">
          {reply.text}
        </pre>
      )}
      {reply.isCut && <p className="soft small-text">{t('docs.cut')}</p>}
    </section>
  );
}
