// Where the pages begin.

import './ui/tokens.css';
import './ui/base.css';
import './ui/components.css';
import './features/shell/shell.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './features/shell/App.tsx';
import { applyTheme } from './lib/theme.ts';

applyTheme();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
