import { Fragment, type ReactNode, useMemo, useRef } from 'react';
import { extraFields, type FormDescription, type FormField, texts } from '@/shared/api/generated/forms';
import { isPast } from '@/shared/archive';
import { useFormRules } from '../hooks/use-form-rules';
import { type Endings, usePublicForm } from '../hooks/use-public-form';
import type { Draft } from '../model/draft-store';
import { loadTools } from '../model/load-tools';
import { fieldsOf, wideFields } from '../model/wide-fields';
import { AlwaysInSight, ClosingNotice } from './closing-notice';
import { Consent, ConsentSentence } from './consent';
import { DraftNotice, Notice, WithoutScript } from './draft-notice';
import { Field } from './field';
import { FileTile } from './file-tile';
import { FormProgress } from './form-progress';
import { FormSection } from './form-section';
import styles from './public-form.module.css';
import { SendPart } from './send-part';

interface PublicFormProps {
  form: FormDescription;
  endings: Endings;
  /** The page that follows cannot be loaded yet. */
  waiting?: boolean;
  /** The heading of the page, if it is not the form's own. */
  title?: string;
  /** A custom input for a field; undefined: the usual one of its kind. */
  input?: (field: FormField) => ReactNode;
  /** Content before a field: payment details, the rules. */
  before?: (field: string, values: Record<string, string>, draft: Draft) => ReactNode;
}

/** A form built from its description, with everything that keeps its entries safe; closed in the archive. */
export function PublicForm(props: PublicFormProps) {
  return isPast ? <Notice kind="warning" text={texts.closed} /> : <OpenForm {...props} />;
}

function OpenForm({ form, endings, waiting = false, title = form.title, input, before }: PublicFormProps) {
  const element = useRef<HTMLFormElement>(null);
  const { rules, strict, closing, notice } = useFormRules(form.key);
  const state = usePublicForm(form, element, { endings, strict, rules, title, notice: notice?.version ?? '' });
  const { values, files, problems, phase, tab, tools } = state;
  const wide = useMemo(() => wideFields(form), [form]);
  const problemOf = (name: string) => problems.find((problem) => problem.name === name)?.message ?? '';

  const inputOf = (field: FormField): ReactNode => {
    if (field.kind !== 'file') return input?.(field);
    return (
      <FileTile
        field={field}
        problem={problemOf(field.name)}
        file={files[field.name]}
        saved={state.saved.files[field.name] ?? 'none'}
        onChoose={state.chooseFile}
        onRemove={state.removeFile}
      />
    );
  };

  return (
    <div className={styles.frame}>
      <FormProgress form={form} values={values} files={files} problems={problems} />
      <form
        ref={element}
        method="post"
        noValidate
        className={styles.form}
        onFocus={loadTools}
        onPointerDown={loadTools}
        onInput={(event) => state.onInput((event.target as HTMLInputElement).name)}
        onSubmit={(event) => {
          event.preventDefault();
          void state.submit();
        }}
      >
        <WithoutScript />
        {phase === 'editing' ? <AlwaysInSight closing={closing} saved={state.saved} /> : null}
        <ClosingNotice closing={closing} />
        <DraftNotice saved={state.saved} elsewhere={tab.elsewhere} onTakeOver={tab.takeOver} onClear={state.clear} />
        <fieldset className={styles.fields} disabled={tab.elsewhere || phase !== 'editing'} aria-label={form.title}>
          {form.sections.map((section, index) => (
            <FormSection key={section.title} number={index + 1} of={form.sections.length} section={section}>
              {fieldsOf(form, section).map((field) => (
                <Fragment key={field.name}>
                  <div className={styles.before}>{before?.(field.name, values, state.keeper.draft)}</div>
                  <Field
                    field={field}
                    problem={problemOf(field.name)}
                    text={countedText(field, values)}
                    wide={wide.has(field.name)}
                  >
                    {inputOf(field)}
                  </Field>
                </Fragment>
              ))}
            </FormSection>
          ))}
          {notice ? <Consent notice={notice} box={strict.consentBox} problem={problemOf(extraFields.consent)} /> : null}
          {/* Hidden from and unreachable for people; bots fill it in. */}
          <div data-unseen="" aria-hidden="true">
            <label htmlFor={`field-${extraFields.trap}`}>Website</label>
            <input
              id={`field-${extraFields.trap}`}
              name={extraFields.trap}
              type="text"
              tabIndex={-1}
              autoComplete="off"
            />
          </div>
        </fieldset>
        <SendPart
          form={form}
          phase={phase}
          ready={tools !== null && !tab.elsewhere}
          problems={problems}
          trouble={state.trouble}
          progress={state.progress}
          quiet={state.quiet}
          onStop={state.stop}
          receipt={state.receipt}
          waiting={waiting}
        >
          {notice && !strict.consentBox ? <ConsentSentence /> : null}
        </SendPart>
      </form>
      {tools ? <tools.LeaveGuard active={state.dirty && phase !== 'submitted'} saved={state.saved} /> : null}
    </div>
  );
}

/** The text of a field whose words are counted; other fields need not render again with each letter. */
function countedText(field: FormField, values: Record<string, string>): string {
  return field.words > 0 ? (values[field.name] ?? '') : '';
}
