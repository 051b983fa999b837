// Where the pages begin.

import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/source-serif-4/wght.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/components.css';
import './features/shell/shell.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './features/shell/App.tsx';
import { readChosenLanguage } from './lib/chosen-language.ts';
import { fontsLoaded } from './lib/fonts-loaded.ts';
import { languageOf, loadLanguage } from './lib/i18n/text.ts';
import { applyTheme } from './lib/theme.ts';

applyTheme();
const root = document.getElementById('root');
const wanted = languageOf(navigator.languages, readChosenLanguage());
// First words and letters, then the page: nobody sees it in another language or in other letters for a moment.
void Promise.all([loadLanguage(wanted), fontsLoaded()]).then(([isLoaded]) => {
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <App first={isLoaded ? wanted : 'en'} />
    </StrictMode>,
  );
});
