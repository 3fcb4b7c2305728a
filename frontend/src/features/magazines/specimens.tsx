import { issue, sampleText } from '@/styleguide/samples';
import type { Specimen } from '@/styleguide/specimen';
import { Issue } from './components/issue';

/** The issues of the magazine. */
export const specimens: Specimen[] = [
  {
    name: 'Issue',
    of: Issue,
    file: 'features/magazines/components/issue.tsx',
    states: {
      full: () => <Issue magazine={issue} />,
      'no cover, no file': () => <Issue magazine={{ ...issue, name: sampleText.mixed, image: null, magazine: null }} />,
    },
  },
];
