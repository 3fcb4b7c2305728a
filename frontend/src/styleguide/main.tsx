import { createRoot } from 'react-dom/client';
import { MotionProvider } from '@/shared/motion';
import { BrowserRouter } from '@/shared/router';
import { Toasts } from '@/shared/ui/toast/toasts';
import '@/shared/styles/base.css';
import { Guide } from './guide';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <BrowserRouter>
      <MotionProvider>
        <Guide />
        <Toasts />
      </MotionProvider>
    </BrowserRouter>,
  );
}
