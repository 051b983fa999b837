// What the pages of the sign-in for other applications say, in the languages of the portal's pages.

import type { MailLanguage } from '../mail/letters.ts';

export type PageWords = {
  readonly signIn: string;
  /** With the application as `{client}`. */
  readonly goOn: string;
  readonly username: string;
  readonly password: string;
  readonly cancel: string;
  readonly allow: string;
  readonly allowTitle: string;
  /** With `{client}`, `{destination}` and `{username}`. */
  readonly wishes: string;
  readonly failed: string;
  readonly needed: string;
  readonly secondStep: string;
  readonly code: string;
  readonly expired: string;
  /** Why somebody is not let in. */
  readonly wrongPassword: string;
  readonly inactive: string;
  readonly wrongCode: string;
  readonly tookTooLong: string;
  readonly tooManyTries: string;
  /** Anything else: it is not about what was typed. */
  readonly unavailable: string;
  readonly forged: string;
  readonly scopes: Readonly<Record<string, string>>;
};

export const PAGE_WORDS: Readonly<Record<MailLanguage, PageWords>> = {
  en: {
    signIn: 'Sign in',
    goOn: 'to go on to {client}',
    username: 'User name',
    password: 'Password',
    cancel: 'Cancel',
    allow: 'Allow',
    allowTitle: 'Allow access?',
    wishes: '{client} ({destination}) would like to do this as {username}:',
    failed: 'This did not work',
    needed: 'Name and password are needed.',
    secondStep: 'Second step',
    code: 'Code of your app, or a recovery code',
    expired: 'This page has expired: begin again where you came from.',
    wrongPassword: 'This user name and password do not match.',
    inactive: 'This account is not active.',
    wrongCode: 'This code is not right, or was used before.',
    tookTooLong: 'This took too long. Sign in again.',
    tooManyTries: 'Too many tries. Wait a little, then try again.',
    unavailable: 'This does not work at the moment. Try again later.',
    forged: 'This form was not sent from this page. Reload the page and try again.',
    scopes: {
      openid: 'know who you are: your name, mail address and groups',
      profile: 'see your name',
      email: 'see your mail address',
      groups: 'see which groups you are in',
      read: 'read everything you can see',
      write: 'change everything you can change',
      offline_access: 'go on doing so while you are away',
    },
  },
  de: {
    signIn: 'Anmelden',
    goOn: 'um weiter zu {client} zu gelangen',
    username: 'Benutzername',
    password: 'Passwort',
    cancel: 'Abbrechen',
    allow: 'Erlauben',
    allowTitle: 'Zugriff erlauben?',
    wishes: '{client} ({destination}) möchte dies als {username} tun:',
    failed: 'Das hat nicht geklappt',
    needed: 'Name und Passwort werden gebraucht.',
    secondStep: 'Zweiter Schritt',
    code: 'Code Ihrer App oder ein Wiederherstellungscode',
    expired: 'Diese Seite ist abgelaufen: Beginnen Sie dort neu, wo Sie herkamen.',
    wrongPassword: 'Benutzername und Passwort passen nicht zusammen.',
    inactive: 'Dieses Konto ist nicht aktiv.',
    wrongCode: 'Dieser Code stimmt nicht oder wurde schon benutzt.',
    tookTooLong: 'Das hat zu lange gedauert. Melden Sie sich neu an.',
    tooManyTries: 'Zu viele Versuche. Warten Sie etwas und versuchen Sie es dann noch einmal.',
    unavailable: 'Das geht im Augenblick nicht. Versuchen Sie es später noch einmal.',
    forged:
      'Dieses Formular wurde nicht von dieser Seite gesendet. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    scopes: {
      openid: 'wissen, wer Sie sind: Ihren Namen, Ihre Mailadresse und Ihre Gruppen',
      profile: 'Ihren Namen sehen',
      email: 'Ihre Mailadresse sehen',
      groups: 'sehen, in welchen Gruppen Sie sind',
      read: 'alles lesen, was Sie sehen können',
      write: 'alles ändern, was Sie ändern können',
      offline_access: 'damit fortfahren, während Sie abwesend sind',
    },
  },
  fr: {
    signIn: 'Se connecter',
    goOn: 'pour continuer vers {client}',
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    cancel: 'Annuler',
    allow: 'Autoriser',
    allowTitle: 'Autoriser l’accès ?',
    wishes: '{client} ({destination}) souhaite faire ceci au nom de {username} :',
    failed: 'Cela n’a pas fonctionné',
    needed: 'Le nom et le mot de passe sont nécessaires.',
    secondStep: 'Deuxième étape',
    code: 'Code de votre application, ou un code de récupération',
    expired: 'Cette page a expiré : recommencez là d’où vous venez.',
    wrongPassword: 'Ce nom d’utilisateur et ce mot de passe ne correspondent pas.',
    inactive: 'Ce compte n’est pas actif.',
    wrongCode: 'Ce code est incorrect ou a déjà servi.',
    tookTooLong: 'Cela a pris trop de temps. Connectez-vous à nouveau.',
    tooManyTries: 'Trop de tentatives. Patientez un peu, puis réessayez.',
    unavailable: 'Cela ne fonctionne pas pour le moment. Réessayez plus tard.',
    forged: 'Ce formulaire n’a pas été envoyé depuis cette page. Rechargez la page et réessayez.',
    scopes: {
      openid: 'savoir qui vous êtes : votre nom, votre adresse e-mail et vos groupes',
      profile: 'voir votre nom',
      email: 'voir votre adresse e-mail',
      groups: 'voir de quels groupes vous faites partie',
      read: 'lire tout ce que vous pouvez voir',
      write: 'modifier tout ce que vous pouvez modifier',
      offline_access: 'continuer ainsi en votre absence',
    },
  },
  es: {
    signIn: 'Iniciar sesión',
    goOn: 'para continuar a {client}',
    username: 'Nombre de usuario',
    password: 'Contraseña',
    cancel: 'Cancelar',
    allow: 'Permitir',
    allowTitle: '¿Permitir el acceso?',
    wishes: '{client} ({destination}) desea hacer esto como {username}:',
    failed: 'Esto no ha funcionado',
    needed: 'Se necesitan el nombre y la contraseña.',
    secondStep: 'Segundo paso',
    code: 'Código de su aplicación, o un código de recuperación',
    expired: 'Esta página ha caducado: empiece de nuevo donde estaba.',
    wrongPassword: 'El nombre de usuario y la contraseña no coinciden.',
    inactive: 'Esta cuenta no está activa.',
    wrongCode: 'Este código no es correcto o ya se ha usado.',
    tookTooLong: 'Ha tardado demasiado. Inicie sesión de nuevo.',
    tooManyTries: 'Demasiados intentos. Espere un poco y vuelva a intentarlo.',
    unavailable: 'Esto no funciona en este momento. Inténtelo más tarde.',
    forged: 'Este formulario no se envió desde esta página. Recargue la página e inténtelo de nuevo.',
    scopes: {
      openid: 'saber quién es usted: su nombre, su correo y sus grupos',
      profile: 'ver su nombre',
      email: 'ver su dirección de correo',
      groups: 'ver en qué grupos está',
      read: 'leer todo lo que usted puede ver',
      write: 'cambiar todo lo que usted puede cambiar',
      offline_access: 'seguir haciéndolo mientras usted no está',
    },
  },
};
