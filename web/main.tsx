// Where the pages begin.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Home } from './features/home/Home.tsx';

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Home />
    </StrictMode>,
  );
}
