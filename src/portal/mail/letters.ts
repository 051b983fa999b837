// The letters that the portal writes, in the reader's language. Plain text: nothing in them is marked up, fetched or counted. Pure.

import type { Mail } from './mailer.ts';

export const MAIL_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

export type Letter =
  | { readonly kind: 'password'; readonly username: string; readonly link: string; readonly hours: number }
  | { readonly kind: 'registration'; readonly link: string; readonly hours: number }
  /** Somebody wants to register with the address of an account. */
  | { readonly kind: 'already-registered'; readonly username: string; readonly link: string }
  | { readonly kind: 'email'; readonly username: string; readonly link: string; readonly hours: number }
  /** A way to sign in to the account is another now. */
  | {
      readonly kind: 'account-changed';
      readonly username: string;
      readonly change: AccountChange;
      readonly at: Date;
      readonly link: string;
    }
  | {
      readonly kind: 'group-invitation';
      readonly username: string;
      readonly group: string;
      readonly by: string;
      readonly link: string;
    }
  /** To an administrator: a new account is to be switched on. */
  | { readonly kind: 'account-waits'; readonly username: string; readonly waiting: string; readonly link: string }
  | {
      readonly kind: 'notifications';
      readonly username: string;
      readonly things: readonly ToldThing[];
      readonly link: string;
    };

export type AccountChange =
  /** Told to the address before. */
  | { readonly act: 'email-changed'; readonly email: string }
  | { readonly act: 'token-made'; readonly name: string }
  | { readonly act: 'identity-linked'; readonly issuer: string }
  | {
      readonly act:
        | 'password-changed'
        | 'passkey-added'
        | 'passkey-removed'
        | 'code-added'
        | 'code-removed'
        | 'factors-removed'
        | 'recovery-code-used';
    };

/** What happened to an item; `by` undefined: whom the reader does not know. */
export type ToldThing = {
  readonly kind: 'comment' | 'mention' | 'data' | 'content' | 'metadata' | 'deleted' | 'new' | 'source';
  readonly by: string | undefined;
  readonly title: string;
  readonly comment: string | undefined;
  /** Where it is to be seen; undefined: it is deleted. */
  readonly link: string | undefined;
};

type Words = {
  readonly subject: Readonly<Record<Letter['kind'], string>>;
  readonly hello: (name: string) => string;
  readonly stranger: string;
  readonly password: string;
  readonly registration: string;
  readonly already: (name: string) => string;
  readonly email: string;
  readonly changed: (change: AccountChange) => string;
  readonly notYou: string;
  readonly invited: (by: string, group: string) => string;
  readonly waits: (name: string) => string;
  readonly told: Readonly<Record<ToldThing['kind'], (by: string, title: string) => string>>;
  readonly somebody: string;
  readonly all: string;
  readonly lasts: (hours: number) => string;
  readonly ignore: string;
};

const WORDS: Readonly<Record<MailLanguage, Words>> = {
  en: {
    subject: {
      password: 'Choose a new password',
      registration: 'Finish your registration',
      'already-registered': 'You already have an account',
      email: 'Confirm your mail address',
      'account-changed': 'Your account was changed',
      'group-invitation': 'You are invited to a group',
      'account-waits': 'An account waits for approval',
      notifications: 'News of what you follow',
    },
    hello: (name) => `Hello ${name},`,
    stranger: 'Hello,',
    password: 'a new password was asked for your account. Choose one here:',
    registration: 'this address was used to register. Choose a user name and a password here:',
    already: (name) =>
      `somebody, probably you, wanted to register with this address. It already belongs to the account “${name}”. Sign in here, or ask for a new password:`,
    email: 'this address is to belong to your account. Confirm it here:',
    changed: (change) => {
      switch (change.act) {
        case 'email-changed':
          return `the e-mail address of your account is now ${change.email}.`;
        case 'token-made':
          return `the access token “${change.name}” was created for your account.`;
        case 'identity-linked':
          return `your account can now be signed in to with ${change.issuer}.`;
        case 'password-changed':
          return 'the password of your account was changed.';
        case 'passkey-added':
          return 'a passkey was added to your account.';
        case 'passkey-removed':
          return 'a passkey was removed from your account.';
        case 'code-added':
          return 'sign-in with codes of an app was switched on for your account.';
        case 'code-removed':
          return 'sign-in with codes of an app was switched off for your account.';
        case 'factors-removed':
          return 'an administrator removed the second factors of your account.';
        case 'recovery-code-used':
          return 'one of the recovery codes of your account was used.';
      }
    },
    notYou:
      'If that was not you, choose a new password, and tell the administrators. Your passwords, tokens and browsers:',
    invited: (by, group) => `${by} invites you to join the group “${group}”. Answer here:`,
    waits: (name) => `the new account “${name}” waits for an administrator to switch it on:`,
    told: {
      comment: (by, title) => `${by} commented on “${title}”`,
      mention: (by, title) => `${by} mentioned you in a comment on “${title}”`,
      data: (by, title) => `${by} changed the data of “${title}”`,
      content: (by, title) => `${by} saved a new version of “${title}”`,
      metadata: (by, title) => `${by} changed the description of “${title}”`,
      deleted: (by, title) => `${by} deleted “${title}”`,
      new: (by, title) => `New by ${by}: “${title}”`,
      source: (_by, title) => `“${title}” could not be renewed from its address`,
    },
    somebody: 'Somebody',
    all: 'Read them all, and choose which of them come by mail:',
    lasts: (hours) => `The link works once, within ${hours} hours.`,
    ignore: 'If you did not ask for this, you need not do anything.',
  },
  de: {
    subject: {
      password: 'Ein neues Passwort wählen',
      registration: 'Die Registrierung abschließen',
      'already-registered': 'Sie haben schon ein Konto',
      email: 'Ihre E-Mail-Adresse bestätigen',
      'account-changed': 'Ihr Konto wurde geändert',
      'group-invitation': 'Sie sind in eine Gruppe eingeladen',
      'account-waits': 'Ein Konto wartet auf Freigabe',
      notifications: 'Neues zu Einträgen, denen Sie folgen',
    },
    hello: (name) => `Guten Tag ${name},`,
    stranger: 'Guten Tag,',
    password: 'für Ihr Konto wurde ein neues Passwort angefordert. Wählen Sie es hier:',
    registration: 'mit dieser Adresse wurde eine Registrierung begonnen. Wählen Sie hier Benutzername und Passwort:',
    already: (name) =>
      `jemand, vermutlich Sie, wollte sich mit dieser Adresse registrieren. Sie gehört schon zum Konto „${name}“. Melden Sie sich hier an oder fordern Sie ein neues Passwort an:`,
    email: 'diese Adresse soll zu Ihrem Konto gehören. Bestätigen Sie das hier:',
    changed: (change) => {
      switch (change.act) {
        case 'email-changed':
          return `die E-Mail-Adresse Ihres Kontos ist jetzt ${change.email}.`;
        case 'token-made':
          return `für Ihr Konto wurde das Zugriffstoken „${change.name}“ erstellt.`;
        case 'identity-linked':
          return `bei Ihrem Konto kann man sich jetzt mit ${change.issuer} anmelden.`;
        case 'password-changed':
          return 'das Passwort Ihres Kontos wurde geändert.';
        case 'passkey-added':
          return 'Ihrem Konto wurde ein Passkey hinzugefügt.';
        case 'passkey-removed':
          return 'von Ihrem Konto wurde ein Passkey entfernt.';
        case 'code-added':
          return 'für Ihr Konto wurde die Anmeldung mit Codes einer App eingeschaltet.';
        case 'code-removed':
          return 'für Ihr Konto wurde die Anmeldung mit Codes einer App ausgeschaltet.';
        case 'factors-removed':
          return 'ein Administrator hat die zweiten Faktoren Ihres Kontos entfernt.';
        case 'recovery-code-used':
          return 'einer der Wiederherstellungscodes Ihres Kontos wurde benutzt.';
      }
    },
    notYou:
      'Wenn Sie das nicht waren, wählen Sie ein neues Passwort und wenden Sie sich an die Administratoren. Ihre Passwörter, Token und Browser:',
    invited: (by, group) => `${by} lädt Sie in die Gruppe „${group}“ ein. Antworten Sie hier:`,
    waits: (name) => `das neue Konto „${name}“ wartet darauf, dass ein Administrator es freischaltet:`,
    told: {
      comment: (by, title) => `${by} hat „${title}“ kommentiert`,
      mention: (by, title) => `${by} hat Sie in einem Kommentar zu „${title}“ erwähnt`,
      data: (by, title) => `${by} hat die Daten von „${title}“ geändert`,
      content: (by, title) => `${by} hat eine neue Version von „${title}“ gespeichert`,
      metadata: (by, title) => `${by} hat die Beschreibung von „${title}“ geändert`,
      deleted: (by, title) => `${by} hat „${title}“ gelöscht`,
      new: (by, title) => `Neu von ${by}: „${title}“`,
      source: (_by, title) => `„${title}“ konnte nicht von seiner Adresse aktualisiert werden`,
    },
    somebody: 'Jemand',
    all: 'Alle lesen und wählen, welche per E-Mail kommen:',
    lasts: (hours) => `Der Link funktioniert einmal, innerhalb von ${hours} Stunden.`,
    ignore: 'Wenn Sie das nicht angefordert haben, brauchen Sie nichts zu tun.',
  },
  fr: {
    subject: {
      password: 'Choisir un nouveau mot de passe',
      registration: 'Terminer votre inscription',
      'already-registered': 'Vous avez déjà un compte',
      email: 'Confirmer votre adresse e-mail',
      'account-changed': 'Votre compte a été modifié',
      'group-invitation': 'Vous êtes invité dans un groupe',
      'account-waits': 'Un compte attend votre approbation',
      notifications: 'Du nouveau sur ce que vous suivez',
    },
    hello: (name) => `Bonjour ${name},`,
    stranger: 'Bonjour,',
    password: 'un nouveau mot de passe a été demandé pour votre compte. Choisissez-le ici :',
    registration: 'cette adresse a servi à une inscription. Choisissez ici un nom d’utilisateur et un mot de passe :',
    already: (name) =>
      `quelqu’un, sans doute vous, a voulu s’inscrire avec cette adresse. Elle appartient déjà au compte « ${name} ». Connectez-vous ici ou demandez un nouveau mot de passe :`,
    email: 'cette adresse doit être associée à votre compte. Confirmez-la ici :',
    changed: (change) => {
      switch (change.act) {
        case 'email-changed':
          return `l’adresse e-mail de votre compte est désormais ${change.email}.`;
        case 'token-made':
          return `le jeton d’accès « ${change.name} » a été créé pour votre compte.`;
        case 'identity-linked':
          return `il est désormais possible de se connecter à votre compte avec ${change.issuer}.`;
        case 'password-changed':
          return 'le mot de passe de votre compte a été modifié.';
        case 'passkey-added':
          return 'une clé d’accès a été ajoutée à votre compte.';
        case 'passkey-removed':
          return 'une clé d’accès a été retirée de votre compte.';
        case 'code-added':
          return 'la connexion avec les codes d’une application a été activée pour votre compte.';
        case 'code-removed':
          return 'la connexion avec les codes d’une application a été désactivée pour votre compte.';
        case 'factors-removed':
          return 'un administrateur a retiré les seconds facteurs de votre compte.';
        case 'recovery-code-used':
          return 'un des codes de récupération de votre compte a été utilisé.';
      }
    },
    notYou:
      'Si ce n’était pas vous, choisissez un nouveau mot de passe et prévenez les administrateurs. Vos mots de passe, jetons et navigateurs :',
    invited: (by, group) => `${by} vous invite à rejoindre le groupe « ${group} ». Répondez ici :`,
    waits: (name) => `le nouveau compte « ${name} » attend qu’un administrateur l’active :`,
    told: {
      comment: (by, title) => `${by} a commenté « ${title} »`,
      mention: (by, title) => `${by} vous a mentionné dans un commentaire sur « ${title} »`,
      data: (by, title) => `${by} a modifié les données de « ${title} »`,
      content: (by, title) => `${by} a enregistré une nouvelle version de « ${title} »`,
      metadata: (by, title) => `${by} a modifié la description de « ${title} »`,
      deleted: (by, title) => `${by} a supprimé « ${title} »`,
      new: (by, title) => `Nouveau, par ${by} : « ${title} »`,
      source: (_by, title) => `« ${title} » n’a pas pu être actualisé depuis son adresse`,
    },
    somebody: 'Quelqu’un',
    all: 'Les lire toutes, et choisir lesquelles arrivent par e-mail :',
    lasts: (hours) => `Le lien fonctionne une seule fois, pendant ${hours} heures.`,
    ignore: 'Si vous n’avez rien demandé, vous n’avez rien à faire.',
  },
  es: {
    subject: {
      password: 'Elegir una contraseña nueva',
      registration: 'Terminar el registro',
      'already-registered': 'Ya tiene una cuenta',
      email: 'Confirmar su dirección de correo',
      'account-changed': 'Su cuenta ha cambiado',
      'group-invitation': 'Le invitan a un grupo',
      'account-waits': 'Una cuenta espera aprobación',
      notifications: 'Novedades de lo que sigue',
    },
    hello: (name) => `Hola, ${name}:`,
    stranger: 'Hola:',
    password: 'se ha pedido una contraseña nueva para su cuenta. Elíjala aquí:',
    registration: 'con esta dirección se ha empezado un registro. Elija aquí un nombre de usuario y una contraseña:',
    already: (name) =>
      `alguien, probablemente usted, quiso registrarse con esta dirección. Ya pertenece a la cuenta «${name}». Inicie sesión aquí o pida una contraseña nueva:`,
    email: 'esta dirección debe pertenecer a su cuenta. Confírmela aquí:',
    changed: (change) => {
      switch (change.act) {
        case 'email-changed':
          return `la dirección de correo de su cuenta es ahora ${change.email}.`;
        case 'token-made':
          return `se ha creado el token de acceso «${change.name}» para su cuenta.`;
        case 'identity-linked':
          return `ahora se puede entrar en su cuenta con ${change.issuer}.`;
        case 'password-changed':
          return 'la contraseña de su cuenta ha cambiado.';
        case 'passkey-added':
          return 'se ha añadido una llave de acceso a su cuenta.';
        case 'passkey-removed':
          return 'se ha quitado una llave de acceso de su cuenta.';
        case 'code-added':
          return 'se ha activado el inicio de sesión con códigos de una aplicación en su cuenta.';
        case 'code-removed':
          return 'se ha desactivado el inicio de sesión con códigos de una aplicación en su cuenta.';
        case 'factors-removed':
          return 'un administrador ha quitado los segundos factores de su cuenta.';
        case 'recovery-code-used':
          return 'se ha usado uno de los códigos de recuperación de su cuenta.';
      }
    },
    notYou:
      'Si no ha sido usted, elija una contraseña nueva y avise a los administradores. Sus contraseñas, tokens y navegadores:',
    invited: (by, group) => `${by} le invita a unirse al grupo «${group}». Responda aquí:`,
    waits: (name) => `la cuenta nueva «${name}» espera a que un administrador la active:`,
    told: {
      comment: (by, title) => `${by} ha comentado «${title}»`,
      mention: (by, title) => `${by} le ha mencionado en un comentario sobre «${title}»`,
      data: (by, title) => `${by} ha cambiado los datos de «${title}»`,
      content: (by, title) => `${by} ha guardado una nueva versión de «${title}»`,
      metadata: (by, title) => `${by} ha cambiado la descripción de «${title}»`,
      deleted: (by, title) => `${by} ha eliminado «${title}»`,
      new: (by, title) => `Nuevo, de ${by}: «${title}»`,
      source: (_by, title) => `«${title}» no se pudo actualizar desde su dirección`,
    },
    somebody: 'Alguien',
    all: 'Leerlas todas, y elegir cuáles llegan por correo:',
    lasts: (hours) => `El enlace funciona una sola vez, durante ${hours} horas.`,
    ignore: 'Si no ha pedido esto, no tiene que hacer nada.',
  },
};

export function writeLetter(to: string, letter: Letter, language: MailLanguage): Mail {
  const words = WORDS[language];
  const greeting = 'username' in letter ? words.hello(letter.username) : words.stranger;
  return { to, subject: words.subject[letter.kind], text: [greeting, ...paragraphs(letter, words)].join('\n\n') };
}

function paragraphs(letter: Letter, words: Words): readonly string[] {
  switch (letter.kind) {
    case 'password':
      return [words.password, letter.link, words.lasts(letter.hours), words.ignore];
    case 'registration':
      return [words.registration, letter.link, words.lasts(letter.hours), words.ignore];
    case 'already-registered':
      return [words.already(letter.username), letter.link, words.ignore];
    case 'email':
      return [words.email, letter.link, words.lasts(letter.hours), words.ignore];
    case 'account-changed': {
      const at = `${letter.at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      // Who took the account over may have named the token.
      return [`${oneLine(words.changed(letter.change))} (${at})`, words.notYou, letter.link];
    }
    case 'group-invitation':
      return [words.invited(letter.by, letter.group), letter.link];
    case 'account-waits':
      return [words.waits(letter.waiting), letter.link];
    case 'notifications':
      return [...letter.things.map((thing) => toldText(thing, words)), words.all, letter.link];
  }
}

/** One line about what happened, and what was said below it, as mail quotes. */
function toldText({ kind, by, title, comment, link }: ToldThing, words: Words): string {
  const line = words.told[kind](by ?? words.somebody, oneLine(title));
  const quoted = comment === undefined ? [] : comment.split('\n').map((said) => `> ${said}`);
  return [line, ...quoted, ...(link === undefined ? [] : [link])].join('\n');
}

const oneLine = (text: string): string => text.replace(/[\r\n]/g, ' ');

/** The first of ours that a browser asks for. */
export function mailLanguage(accepted: string | undefined): MailLanguage {
  for (const part of (accepted ?? '').slice(0, 200).split(',')) {
    const code = part.trim().slice(0, 2).toLowerCase();
    const found = MAIL_LANGUAGES.find((one) => one === code);
    if (found !== undefined) return found;
  }
  return 'en';
}
