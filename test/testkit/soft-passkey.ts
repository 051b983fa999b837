// A passkey in software: a key pair as the portal keeps its public half (COSE), and answers to challenges as a device gives them.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const EC2_P256 = Buffer.from('a5010203262001', 'hex');

export type SoftPasskey = {
  readonly credential: Buffer;
  /** A CBOR map: key type EC2, algorithm ES256, curve P-256, x, y. */
  readonly publicKey: Buffer;
  /** What a browser sends; the owner's number as the page that made the key was given it. */
  answer(challenge: string, origin: string, userHandle: string | undefined): Record<string, unknown>;
};

export function makeSoftPasskey(): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = (label: number, part: string): Buffer =>
    Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(part, 'base64url')]);
  const credential = randomBytes(16);
  return {
    credential,
    publicKey: Buffer.concat([EC2_P256, point(0x21, x), point(0x22, y)]),
    answer(challenge, origin, userHandle) {
      const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
      const site = createHash('sha256').update(new URL(origin).hostname).digest();
      // The person was there, and the device has made sure who it is.
      const authenticator = Buffer.concat([site, Buffer.from([0x05, 0, 0, 0, 0])]);
      const signed = Buffer.concat([authenticator, createHash('sha256').update(client).digest()]);
      const id = credential.toString('base64url');
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authenticator.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          ...(userHandle === undefined ? {} : { userHandle: Buffer.from(userHandle).toString('base64url') }),
        },
      };
    },
  };
}
