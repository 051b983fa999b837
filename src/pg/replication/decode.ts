// The tables of a publication, followed by logical decoding on a connection of its own: connect, make a slot, stream, and when it is lost do so again
// after a while, until closed. The slot is temporary: it ends with its connection, so that it never keeps the server's log on disk for nobody.
//
// What was committed between two slots is not told, so every `following` means: look again.

import { randomBytes } from 'node:crypto';
import type { Result } from '../../kernel/result.ts';
import { quoteIdent, quoteLiteral } from '../../sql/index.ts';
import type { DecodeEvent, Listener } from '../driver.ts';
import { RETRY_MS, type RetryMs, reconnect } from '../session/reconnect.ts';
import type { ReplicationConnection } from './replication-connection.ts';
import { encodeStatus, readStreamMessage } from './stream-messages.ts';
import { TransactionDecoder } from './transaction-decoder.ts';

export type DecodePace = {
  /** Waits before the tries to connect again, the last one repeated. */
  readonly retryMs: RetryMs;
  /** How often the server is told how far we are and asked whether it is still there, and how long it may be silent then. */
  readonly statusMs: number;
  readonly silenceMs: number;
};

const DECODE_PACE: DecodePace = {
  retryMs: RETRY_MS,
  statusMs: 10_000,
  silenceMs: 30_000,
};

export type ReplicationPeer = {
  readonly connection: ReplicationConnection;
  /** Ends what the server is at, which may be to wait for somebody's transaction. */
  readonly cancel: () => void;
};

export type DecodeOptions = {
  readonly connect: () => Promise<Result<ReplicationPeer, { readonly message: string }>>;
  /** Which database of which running server the rows are read from, as `IDENTITY` tells it; undefined: not known just now. */
  readonly identity: () => Promise<string | undefined>;
  readonly publication: string;
  readonly onEvent: (event: DecodeEvent) => void;
  readonly pace?: DecodePace;
};

/** The same text from two connections: they lead to the same database of the same server, running since the same start. */
export const IDENTITY =
  "select pg_catalog.current_database() || ' ' || extract(epoch from pg_catalog.pg_postmaster_start_time())::text";

// Texts of keys are read back by other sessions: as the triggers of the change log have them.
const TEXT_FORMS = `select pg_catalog.set_config('datestyle', 'ISO, YMD', false), pg_catalog.set_config('intervalstyle', 'postgres', false),
  pg_catalog.set_config('timezone', 'UTC', false), pg_catalog.set_config('extra_float_digits', '1', false),
  pg_catalog.set_config('bytea_output', 'hex', false), pg_catalog.set_config('client_encoding', 'UTF8', false)`;

export function decode({ connect, identity, publication, onEvent, pace = DECODE_PACE }: DecodeOptions): Listener {
  let peer: ReplicationPeer | undefined;

  /** Resolves with the reason once nothing is followed, or no longer. */
  const followOnce = async (onFollowing: () => void): Promise<string> => {
    const opened = await connect();
    if (!opened.ok) return opened.error.message;
    peer = opened.value;
    const { connection } = peer;
    if (tries.isClosed) connection.destroy('closed');
    const refused = await prepare(connection);
    if (refused !== undefined) {
      connection.destroy(refused);
      return refused;
    }
    const slot = `survest_live_${randomBytes(8).toString('hex')}`;
    const made = await connection.ask(
      `CREATE_REPLICATION_SLOT ${quoteIdent(slot)} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`,
    );
    if (!made.ok) {
      connection.destroy(made.error);
      return made.error;
    }
    return stream(connection, slot, onFollowing);
  };

  const prepare = async (connection: ReplicationConnection): Promise<string | undefined> => {
    const there = await connection.ask(IDENTITY);
    if (!there.ok) return there.error;
    const here = await identity();
    if (here === undefined) return 'the database cannot be asked';
    if (there.value[0]?.[0] !== here) return 'live-replication-uri leads to another database than db-uri';
    const known = await connection.ask(
      `select 1 from pg_catalog.pg_publication where pubname = ${quoteLiteral(publication)}`,
    );
    if (!known.ok) return known.error;
    if (known.value.length === 0)
      return `there is no publication ${publication}: survest live install TABLE --decoding`;
    const formed = await connection.ask(TEXT_FORMS);
    return formed.ok ? undefined : formed.error;
  };

  const stream = async (connection: ReplicationConnection, slot: string, onFollowing: () => void): Promise<string> => {
    const decoder = new TransactionDecoder();
    let readUpTo = 0n;
    let walEnd = 0n;
    let heardAt = performance.now();
    const report = (wantsReply: boolean): void => connection.send(encodeStatus(readUpTo, Date.now(), wantsReply));
    const begun = await connection.stream(
      `START_REPLICATION SLOT ${quoteIdent(slot)} LOGICAL 0/0 (proto_version '1', publication_names ${quoteLiteral(quoteIdent(publication))})`,
      (bytes, start, end) => {
        heardAt = performance.now();
        const message = readStreamMessage(bytes, start, end);
        walEnd = message.walEnd > walEnd ? message.walEnd : walEnd;
        if (message.kind === 'data') {
          const committed = decoder.feed(bytes, message.start, end);
          if (committed === undefined) return;
          readUpTo = committed.end;
          if (committed.transaction !== undefined && !tries.isClosed)
            onEvent({ kind: 'transaction', transaction: committed.transaction });
          return;
        }
        // Between transactions everything up to there has been read, of which nothing was for us.
        if (!decoder.isInside && message.walEnd > readUpTo) readUpTo = message.walEnd;
        if (message.wantsReply) report(false);
      },
    );
    if (!begun.ok) {
      connection.destroy(begun.error);
      return begun.error;
    }
    if (!tries.isClosed) onFollowing();
    const timer = setInterval(() => {
      if (performance.now() - heardAt > pace.silenceMs) connection.destroy('the server no longer answers');
      report(true);
      if (!tries.isClosed) onEvent({ kind: 'lag', bytes: Number(walEnd > readUpTo ? walEnd - readUpTo : 0n) });
    }, pace.statusMs);
    const message = await connection.ended();
    clearInterval(timer);
    return message;
  };

  const once = async (onOpen: () => void): Promise<string> => {
    const message = await followOnce(() => {
      onOpen();
      onEvent({ kind: 'following' });
    });
    peer = undefined;
    return message;
  };
  const tries = reconnect(once, pace.retryMs, (message, retryInMs) => onEvent({ kind: 'lost', message, retryInMs }));
  return {
    close: async () => {
      tries.stop();
      peer?.cancel();
      peer?.connection.destroy('closed');
    },
  };
}
