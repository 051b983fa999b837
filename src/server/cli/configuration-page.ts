// The text of docs/configuration.md: an introduction by hand, then every setting from the option table. A test keeps the
// file equal to this, and `npm run bless` writes it.

import { optionDocs } from '../../kernel/options/docs.ts';
import { NAMING } from '../../rest/config/naming.ts';
import { EXIT_CODES } from '../command-line/exit-code.ts';
import { SERVER_SECTIONS, serverOptions } from '../config/config.ts';

export function configurationPage(): string {
  const contents = SERVER_SECTIONS.map((section) => `- [${section}](#${section.toLowerCase().replaceAll(' ', '-')})`);
  const codes = EXIT_CODES.map(([code, meaning]) => `| ${code} | ${meaning} |`);
  return `${INTRODUCTION}

## Exit codes

| Code | Meaning |
|---|---|
${codes.join('\n')}

# All settings

${contents.join('\n')}

${optionDocs(serverOptions, NAMING, SERVER_SECTIONS)}
`;
}

const INTRODUCTION = `<!-- Made from the option table by \`npm run bless\`; edit src/server/cli/configuration-page.ts or the table instead. -->

# Configuration

Every setting has a default, so \`survest\` starts without any. A setting can be given in five places; of two places, the
upper one in this list wins:

1. a flag on the command line: \`--db-pool 20\`, \`--db-pool=20\`, \`--server-timing-enabled\`, \`--no-demo\`
2. the database, for the settings that say so below
3. an environment variable: \`SVRST_DB_POOL=20\`
4. the configuration file: \`db-pool = 20\`
5. the default

An empty value puts a setting back to its default (for \`db-extra-search-path\` it means "none"). Where an option has an
older name, both work; given both in one place, the newer one counts, except for \`db-pool-timeout\`.

A setting that does not exist, or a value that cannot be, stops the program before it starts anything: it names every
mistake, where it was made and what would be accepted, and exits with code 1. On reload, mistakes are logged and the
settings in force stay.

\`survest --example\` prints a commented sample file, \`survest --dump-config [FILE]\` the settings in force as a file that
reads back the same. The dump contains the secrets.

## Coming from PostgREST

\`survest rest FILE\` reads a PostgREST configuration file as it is, and \`PGRST_\` variables are read where the \`SVRST_\` one
is unset or empty. The differences:

- Values that PostgREST replaces by the default without a word (\`db-pool = "abc"\`) are mistakes here.
- Settings of other PostgREST versions that have no meaning here are ignored with a notice, and so are unknown \`PGRST_\`
  variables. Other names that do not exist are mistakes.
- Without \`db-uri\` the embedded database is used. \`db-uri = "postgresql://"\` takes everything from the libpq variables.
- \`jwt-secret\` may be the https address of a JWK set, and a value that begins with \`@\` but is no file is written \`@@…\`.

## The configuration file

\`\`\`
# One setting per line. Text stands in double quotes.
db-uri       = "postgresql://authenticator:$(DB_PASSWORD)@localhost/app"
db-schemas   = "api, public"        # or ["api", "public"]
db-pool      = 20
db-config    = off                  # true, false, on, off

app.settings {                      # the same as app.settings.region = …
  region = "north"
}

import "secrets.conf"               # relative to this file; later lines win over earlier ones

# The directive after #; is left out, over several lines if need be.
#; db-hoisted-tx-settings = ["statement_timeout",
                             "work_mem"]
\`\`\`

- Names are letters, digits, \`-\` and \`_\`, with dots between them. The file is UTF-8.
- In text, \`\\n\`, \`\\r\`, \`\\t\`, \`\\"\`, \`\\\\\` and \`\\uXXXX\` are escapes, \`$(NAME)\` is a setting further up or an environment
  variable, and \`$$\` is a dollar sign.
- \`[name]\` begins the settings of one of [several databases](databases.md); it ends at the next one.
- A value \`@path\` of \`db-uri\`, \`jwt-secret\` and \`admin-password\` is the text of that file, read again on reload.

## Settings in the database

With \`db-config\` on, settings whose entry below names a \`pgrst.\` name are read from the database, the first of these wins:

1. \`alter role authenticator in database app set pgrst.db_schemas = 'api'\`
2. \`alter role authenticator set pgrst.db_schemas = 'api'\`
3. \`set_config('pgrst.db_schemas', 'api', true)\` in the function that \`db-pre-config\` names

Settings of the roles that requests run as (\`alter role web_user set statement_timeout = '5s'\`) are applied to their
transactions, as if the role had logged in.

## Reload

\`SIGUSR2\`, or \`notify pgrst, 'reload config'\` in the database, reads everything anew. Settings marked "on the next start"
keep their value until then.`;
