import { missing } from '@/shared/api/form-problems';
import { forms } from '@/shared/api/generated/all-forms';
import type { Notice } from '@/shared/api/generated/api';
import { checkTexts } from '@/shared/api/generated/form-checks';
import type { FormField } from '@/shared/api/generated/forms';
import { drawing, sampleText, site } from '@/styleguide/samples';
import { Given, Opens, type Specimen, type Surface } from '@/styleguide/specimen';
import { ClosingNotice } from './components/closing-notice';
import { Consent, ConsentSentence } from './components/consent';
import { DraftNotice } from './components/draft-notice';
import { Facts, Rules } from './components/facts';
import { Field } from './components/field';
import { FileTile } from './components/file-tile';
import { FormProgress } from './components/form-progress';
import { FormSection } from './components/form-section';
import { LeaveQuestion } from './components/leave-guard';
import { MembershipInput } from './components/membership-input';
import { Payment } from './components/payment';
import { Popup } from './components/popup';
import { Receipt } from './components/receipt';
import { SendPart } from './components/send-part';
import { chosen } from './model/chosen-file';
import type { DraftStatus, SaveState } from './model/draft-keeper';
import type { Receipt as ReceiptData } from './model/receipt';

const paper = ['paper'] as const;
const unannounced = { ...site, payment: { bank: null, upi: null } };
const draft = {
  values: {},
  key: '',
  seed: '0f8fad5b-d9cb-469f-a165-70867728950e',
  elapsed: 0,
  refused: false,
  interrupted: false,
  tickets: {},
};
const fields = [...forms.asian.fields, ...forms.delegate.fields];
const problems = forms.asian.fields.slice(0, 3).map(({ name }) => ({ name, message: missing(name) }));

/** A field of a form; its name, and so the ids, differ between states. */
function field(name: string, place: string): FormField {
  const match = fields.find((field) => field.name === name);
  if (!match) throw new Error(`no field ${name}`);
  return { ...match, name: `${name}-${place}` };
}

/** A field as in a form, with state of its own. */
function fieldIn(name: string, problem = '', text = '') {
  return (surface: Surface) => {
    const own = field(name, `${surface}${problem ? '-wrong' : ''}${text ? '-long' : ''}`);
    return (
      <Field field={own} problem={problem} text={text} wide={false}>
        {own.kind === 'membership' ? <MembershipInput field={own} /> : undefined}
      </Field>
    );
  };
}

function tile(content: File | undefined, problem = '', state: SaveState | 'arrived' = 'saved') {
  const ticket = { ticket: 'x', name: 'x', size: 1, type: '' };
  const file = content && { ...chosen(content), ticket: state === 'arrived' ? ticket : null };
  return (surface: Surface) => {
    const own = field('film_poster', `${surface}-${file?.type ?? 'none'}${problem ? '-wrong' : ''}-${state}`);
    return (
      <Field field={own} problem={problem} text="" wide={false}>
        <FileTile
          field={own}
          problem={problem}
          file={file}
          saved={state === 'failed' ? 'failed' : 'saved'}
          onChoose={() => {}}
          onRemove={() => {}}
        />
      </Field>
    );
  };
}

const notice: Notice = {
  forms: ['asian'],
  version: 'a1b2c3d4e5f6',
  lead: 'The festival asks for your consent to keep and use what you send.',
  items: [
    { title: 'What we keep', text: sampleText.long, email: '' },
    { title: 'Whom to ask', text: 'Write to the festival office.', email: 'office@example.org' },
  ],
};
const saved: DraftStatus = { entries: 'saved', files: {} };
const deadline = '1 September 2026, 11:59 PM (Asia/Kolkata, UTC+05:30)';
const receipt: ReceiptData = {
  form: forms.asian.title,
  reference: 'AS-2026-0042',
  received: '31 August 2026, 6:04 PM (Asia/Kolkata, UTC+05:30)',
  late: false,
  nextSteps: 'We check the payment and the documents, then the film goes to the selection committee.',
  corrections: 'office@example.org',
  fields: [
    { label: 'Original title', value: 'ഒരു വെളിച്ചം' },
    { label: 'Synopsis', value: sampleText.unbroken },
  ],
  files: [{ label: 'Film poster', name: 'poster.jpg', size: '1.2 MB' }],
};

const svg = decodeURIComponent(drawing(600, 900).replace('data:image/svg+xml,', ''));
const sending = {
  form: forms.asian,
  ready: true,
  problems: [],
  trouble: null,
  progress: null,
  quiet: false,
  onStop: () => {},
  receipt: null,
  waiting: false,
};

const poster = new File([svg], 'poster.svg', { type: 'image/svg+xml' });

/** Parts of forms. Forms are on paper; their inputs work on every surface. */
export const specimens: Specimen[] = [
  {
    name: 'Field',
    of: Field,
    file: 'features/forms/components/field.tsx',
    states: {
      text: fieldIn('title_original'),
      'something is wrong': fieldIn('title_original', 'Please fill in title original'),
      'e-mail': fieldIn('director_email'),
      number: fieldIn('duration_minutes'),
      'several lines, counted': fieldIn('synopsis_short'),
      'too many words': fieldIn('synopsis_short', '', Array(120).fill('word').join(' ')),
      'two choices': fieldIn('subtitles'),
      'a list': fieldIn('film_type'),
      memberships: fieldIn('category'),
      'memberships, none chosen': fieldIn('category', 'Please fill in category'),
    },
  },
  {
    name: 'FileTile',
    of: FileTile,
    file: 'features/forms/components/file-tile.tsx',
    states: {
      empty: tile(undefined),
      'something is wrong': tile(undefined, 'This file is larger than 5 MB.'),
      'a picture': tile(poster),
      arrived: tile(poster, '', 'arrived'),
      'not kept': tile(poster, '', 'failed'),
      'a document': tile(new File(['%PDF'], `${sampleText.unbroken}.pdf`, { type: 'application/pdf' })),
    },
  },
  {
    name: 'Consent',
    of: Consent,
    file: 'features/forms/components/consent.tsx',
    on: paper,
    states: {
      'by sending': () => <Consent notice={notice} box={false} problem="" />,
      'not ticked': () => <Consent notice={notice} box problem={checkTexts.consent_missing} />,
    },
  },
  {
    name: 'SendPart',
    of: SendPart,
    file: 'features/forms/components/send-part.tsx',
    on: paper,
    states: {
      ready: () => (
        <SendPart {...sending} phase="editing">
          <ConsentSentence />
        </SendPart>
      ),
      'not alive yet': () => <SendPart {...sending} phase="editing" ready={false} />,
      'under way': () => (
        <SendPart {...sending} phase="submitting" progress={{ sent: 4_000_000, total: 9_000_000, secondsLeft: 12 }} />
      ),
      'many from one connection': () => (
        <SendPart {...sending} phase="submitting" progress={{ sent: 0, total: 0, secondsLeft: null, working: true }} />
      ),
      'nothing moves': () => <SendPart {...sending} phase="submitting" quiet />,
      arrived: () => <SendPart {...sending} phase="submitted" receipt={receipt} />,
      'the next page does not load': () => <SendPart {...sending} phase="submitted" receipt={receipt} waiting />,
      'to be put right': () => <SendPart {...sending} phase="editing" problems={problems} />,
      'not accepted': () => (
        <SendPart
          {...sending}
          phase="editing"
          trouble={{ message: 'Error submitting form!', serverMessage: '', problems: [] }}
        />
      ),
    },
  },
  {
    name: 'Payment',
    of: Payment,
    file: 'features/forms/components/payment.tsx',
    wide: true,
    on: paper,
    states: {
      'bank and UPI': () => (
        <Payment fee="5000 rupees" amount={5000} amountText="5000 rupees" note="Entry fee" draft={draft} />
      ),
      'the fee is not known yet': () => (
        <Payment fee="The fee of your category" amount={null} amountText="" note="" draft={draft} />
      ),
      'not announced': () => (
        <Given site={unannounced}>
          <Payment fee="5000 rupees" amount={5000} amountText="5000 rupees" note="Entry fee" draft={draft} />
        </Given>
      ),
    },
  },
  {
    name: 'DraftNotice',
    of: DraftNotice,
    file: 'features/forms/components/draft-notice.tsx',
    on: paper,
    states: {
      kept: () => <DraftNotice saved={saved} elsewhere={false} onTakeOver={() => {}} onClear={() => {}} />,
      'cannot be kept': () => (
        <DraftNotice
          saved={{ entries: 'failed', files: {} }}
          elsewhere={false}
          onTakeOver={() => {}}
          onClear={() => {}}
        />
      ),
      'a file is not': () => (
        <DraftNotice
          saved={{ ...saved, files: { film_poster: 'failed' } }}
          elsewhere={false}
          onTakeOver={() => {}}
          onClear={() => {}}
        />
      ),
      'open in another tab': () => <DraftNotice saved={saved} elsewhere onTakeOver={() => {}} onClear={() => {}} />,
    },
  },
  {
    name: 'ClosingNotice',
    of: ClosingNotice,
    file: 'features/forms/components/closing-notice.tsx',
    on: paper,
    states: {
      open: () => <ClosingNotice closing={{ kind: 'open', text: deadline, left: '3 days 4 hours', soon: false }} />,
      late: () => <ClosingNotice closing={{ kind: 'late', text: deadline }} />,
      closed: () => <ClosingNotice closing={{ kind: 'closed', text: deadline }} />,
    },
  },
  {
    name: 'Receipt',
    of: Receipt,
    file: 'features/forms/components/receipt.tsx',
    wide: true,
    on: paper,
    states: {
      'in time': () => <Receipt receipt={receipt} />,
      late: () => <Receipt receipt={{ ...receipt, late: true }} />,
    },
  },
  {
    name: 'FormProgress',
    of: FormProgress,
    file: 'features/forms/components/form-progress.tsx',
    wide: true,
    on: paper,
    states: {
      'begun, something wrong': () => (
        <FormProgress form={forms.asian} values={{ title_original: sampleText.usual }} files={{}} problems={problems} />
      ),
    },
  },
  {
    name: 'FormSection',
    of: FormSection,
    file: 'features/forms/components/form-section.tsx',
    wide: true,
    on: paper,
    states: {
      numbered: (surface) => (
        <FormSection number={1} of={2} section={{ title: 'Film Details', text: [sampleText.long], fields: [] }}>
          {fieldIn('country_of_origin')(surface)}
          {fieldIn('director_name')(surface)}
        </FormSection>
      ),
    },
  },
  {
    name: 'Facts',
    of: Facts,
    file: 'features/forms/components/facts.tsx',
    on: paper,
    states: {
      full: () => (
        <Facts form={forms.asian}>
          <div>
            <dt>Entry fee</dt>
            <dd>5000 rupees</dd>
          </div>
        </Facts>
      ),
    },
  },
  {
    name: 'Rules',
    of: Rules,
    file: 'features/forms/components/facts.tsx',
    on: paper,
    states: { 'with a document': () => <Rules of={forms.asian} /> },
  },
  {
    name: 'Popup',
    of: Popup,
    file: 'features/forms/components/popup.tsx',
    on: paper,
    states: Object.fromEntries(
      (['success', 'error'] as const).map((kind) => [
        kind,
        () => (
          <Opens name={`Popup: ${kind}`}>
            {(close) => <Popup kind={kind} text="Message sent successfully!" onClose={close} />}
          </Opens>
        ),
      ]),
    ),
  },
  {
    name: 'LeaveQuestion',
    of: LeaveQuestion,
    file: 'features/forms/components/leave-guard.tsx',
    on: paper,
    states: {
      kept: () => (
        <Opens name="Leave with entries">
          {(close) => <LeaveQuestion saved={saved} onStay={close} onLeave={close} />}
        </Opens>
      ),
    },
  },
];
