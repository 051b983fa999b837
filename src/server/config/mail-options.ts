// The settings of mail and of registering.

import type { Check } from '../../kernel/options/load.ts';
import { type OptionTable, optionsIn } from '../../kernel/options/option.ts';
import { oneOf } from '../../kernel/options/types/one-of.ts';
import { optional } from '../../kernel/options/types/optional.ts';
import { text } from '../../kernel/options/types/text.ts';

export type MailConfig = {
  readonly mailFrom: string | undefined;
  /** Undefined: no letters are sent. */
  readonly mailUrl: string | undefined;
  readonly registration: 'off' | 'open' | 'approval' | 'invitation';
};

const MAIL = 'Mail and registration';
const mail = optionsIn(MAIL, { reloadable: false });
export const MAIL_SECTIONS: readonly string[] = [MAIL];

export const mailOptions: OptionTable<MailConfig> = {
  mailFrom: mail({
    name: 'mail-from',
    doc: 'Sender of the letters, as mail programs show it.',
    type: optional(
      text({
        accepts: 'a mail address, with or without a name before it',
        complaint: (value) => (/@/.test(value) && !/[\r\n]/.test(value) ? undefined : 'is no mail address'),
      }),
    ),
    default: undefined,
    example: '"Maps of the city <maps@example.org>"',
  }),
  mailUrl: mail({
    name: 'mail-url',
    doc: 'SMTP server that sends the letters: for forgotten passwords, for registering, for changed mail addresses. Needs `mail-from`, and `public-url`, since a link in a letter must not follow what a request calls the portal.',
    type: optional(
      text({
        accepts: 'smtp:// or smtps:// with host, and port, user and password where they are needed',
        complaint: (value) => (isSmtpAddress(value) ? undefined : 'is not the address of a mail server'),
      }),
    ),
    default: undefined,
    defaultWords: 'none: no letters are sent',
    secret: true,
    onCommandLine: false,
    fileReference: true,
    example: '"smtps://maps:secret@mail.example.org"',
  }),
  registration: mail({
    name: 'registration',
    doc: 'Who may make an account for themselves: `off` nobody, `open` whoever confirms a mail address, `approval` the same, but an administrator has to switch the account on, `invitation` whom an administrator sends a link. Needs `mail-url`.',
    type: oneOf(['off', 'open', 'approval', 'invitation']),
    default: 'off',
  }),
};

type Checked = MailConfig & { readonly publicUrl: string | undefined };

/** Letters say who sends them and lead to an address that is certain. */
export const mailIsComplete: Check<Checked> = ({ mailUrl, mailFrom, publicUrl, registration }) => {
  if (mailUrl === undefined)
    return registration === 'off'
      ? []
      : [
          {
            option: 'mail-url',
            involves: ['registration'],
            complaint: 'mail-url is needed to let people register: the link comes by mail',
            accepts: mailOptions.mailUrl.kind === 'single' ? mailOptions.mailUrl.type.accepts : '',
          },
        ];
  const missing = [
    ['mail-from', mailFrom, 'a mail address, with or without a name before it'],
    ['public-url', publicUrl, 'the address under which people reach the portal'],
  ] as const;
  return missing
    .filter(([, value]) => value === undefined)
    .map(([name, , accepts]) => ({
      option: name,
      involves: ['mail-url'],
      complaint: `${name} is needed to send letters`,
      accepts,
    }));
};

function isSmtpAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== '';
}
