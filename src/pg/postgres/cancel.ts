// Asks the server, on a connection of its own, to cancel what one backend is running.
//
// The server closes that connection once it has signalled the backend. Only then may the backend's connection be used
// again: a signal still on its way would hit whatever runs there next.

import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { CancelOutcome } from '../session/connected.ts';
import type { Endpoint } from './endpoint.ts';

const SSL_REQUEST: Buffer = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const CANCEL_CODE = 80877102;

export async function cancelBackend(endpoint: Endpoint, timeoutMs: number): Promise<CancelOutcome> {
  const { target, address, tls } = endpoint;
  const socket = address.startsWith('/')
    ? connect(`${address}/.s.PGSQL.${target.port}`)
    : connect(target.port, address);
  let sent = false;
  const sendOn = (stream: Socket): void => {
    sent = true;
    stream.write(cancelRequest(endpoint));
  };
  return new Promise((resolve) => {
    const finish = (outcome: CancelOutcome): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const fail = (message: string): void => finish(sent ? { kind: 'unsure', message } : { kind: 'not-sent', message });
    const closed = (): void => (sent ? finish({ kind: 'delivered' }) : fail('the server hung up'));
    const timer = setTimeout(() => fail('the server did not take the cancel request in time'), timeoutMs);
    const upgrade = (): void => {
      const servername = tls !== false && typeof tls.servername === 'string' ? {} : serverName(target.host);
      const secured = connectTls({
        socket,
        host: target.host,
        ...servername,
        ...(tls === false ? {} : tls),
        ...(endpoint.directTls ? { ALPNProtocols: ['postgresql'] } : {}),
      });
      secured.on('error', (error) => fail(error.message));
      secured.once('secureConnect', () => sendOn(secured));
      secured.once('end', closed);
      secured.once('close', closed);
      secured.resume();
    };
    socket.on('error', (error) => fail(error.message));
    socket.once('connect', () => {
      if (tls === false) {
        sendOn(socket);
        socket.resume();
      } else if (endpoint.directTls) {
        upgrade();
      } else {
        socket.write(SSL_REQUEST);
        socket.once('data', (reply) => (reply[0] === 0x53 ? upgrade() : fail('the server has no TLS')));
      }
    });
    socket.once('end', closed);
    socket.once('close', closed);
  });
}

function cancelRequest({ key }: Endpoint): Buffer {
  const message = Buffer.allocUnsafe(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(CANCEL_CODE, 4);
  message.writeInt32BE(key.processId, 8);
  message.writeInt32BE(key.secret, 12);
  return message;
}

/** A certificate is asked for by name, never by address. */
function serverName(host: string): { servername?: string } {
  return /^[\d.]+$|:/.test(host) ? {} : { servername: host };
}
