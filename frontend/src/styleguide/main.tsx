import { createRoot } from 'react-dom/client';
import { BrowserRouter } from '@/shared/router';
import { prepareToasts } from '@/shared/ui/toast';
import '@/shared/styles/base.css';
import { Guide } from './guide';

const root = document.getElementById('root');
if (root) {
  prepareToasts();
  createRoot(root).render(
    <BrowserRouter>
      <Guide />
    </BrowserRouter>,
  );
}
