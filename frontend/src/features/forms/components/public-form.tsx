import { Fragment, type ReactNode, useMemo, useRef } from 'react';
import { beside, type FormDescription, type FormField, texts } from '@/shared/api/generated/forms';
import { useHydrated } from '@/shared/use-hydrated';
import { useFormRules } from '../hooks/use-form-rules';
import { useLeaveGuard } from '../hooks/use-leave-guard';
import { type Endings, usePublicForm } from '../hooks/use-public-form';
import { fieldsOf, wideFields } from '../model/wide-fields';
import { Consent } from './consent';
import { DraftNotice, Notice } from './draft-notice';
import { Field } from './field';
import { FileTile } from './file-tile';
import { FormProgress } from './form-progress';
import { FormSection } from './form-section';
import { LeaveQuestion } from './leave-question';
import { MembershipInput } from './membership-input';
import styles from './public-form.module.css';
import { SendPart } from './send-part';
import { WithoutScript } from './without-script';

interface PublicFormProps {
  form: FormDescription;
  endings: Endings;
  /** What stands before a field: where to pay, the rules. */
  before?: (field: string, values: Record<string, string>) => ReactNode;
}

/** A form as its description says it, with everything that keeps its entries safe. */
export function PublicForm({ form, endings, before }: PublicFormProps) {
  const element = useRef<HTMLFormElement>(null);
  const { strict, closed } = useFormRules(form.key);
  const state = usePublicForm(form, element, endings, strict);
  const { values, files, problems, phase, tab } = state;
  const hydrated = useHydrated();
  const wide = useMemo(() => wideFields(form), [form]);
  const guard = useLeaveGuard(state.dirty && phase !== 'submitted');
  const problemOf = (name: string) => problems.find((problem) => problem.name === name)?.message ?? '';

  const input = (field: FormField): ReactNode => {
    if (field.kind === 'membership') return <MembershipInput field={field} />;
    if (field.kind !== 'file') return undefined;
    return (
      <FileTile
        field={field}
        problem={problemOf(field.name)}
        file={files[field.name]}
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
        onInput={(event) => state.onInput((event.target as HTMLInputElement).name)}
        onSubmit={(event) => {
          event.preventDefault();
          void state.submit();
        }}
      >
        <WithoutScript />
        {closed ? <Notice kind="warning" text={texts.closed} /> : null}
        <DraftNotice kept={state.kept} elsewhere={tab.elsewhere} onTake={tab.take} onClear={state.clear} />
        <fieldset className={styles.fields} disabled={tab.elsewhere || phase !== 'editing'} aria-label={form.title}>
          {form.sections.map((section, index) => (
            <FormSection key={section.title} number={index + 1} of={form.sections.length} section={section}>
              {fieldsOf(form, section).map((field) => (
                <Fragment key={field.name}>
                  <div className={styles.before}>{before?.(field.name, values)}</div>
                  <Field
                    field={field}
                    problem={problemOf(field.name)}
                    text={countedText(field, values)}
                    wide={wide.has(field.name)}
                  >
                    {input(field)}
                  </Field>
                </Fragment>
              ))}
            </FormSection>
          ))}
          <Consent problem={problemOf(beside.consent)} />
          {/* People neither see nor reach it; machines fill it in. */}
          <div className={styles.trap} aria-hidden="true">
            <label htmlFor={`field-${beside.trap}`}>Website</label>
            <input id={`field-${beside.trap}`} name={beside.trap} type="text" tabIndex={-1} autoComplete="off" />
          </div>
          <SendPart
            form={form}
            phase={phase}
            ready={hydrated}
            problems={problems}
            trouble={state.trouble}
            progress={state.progress}
          />
        </fieldset>
      </form>
      {guard.asking ? <LeaveQuestion kept={state.kept} onStay={guard.stay} onLeave={guard.leave} /> : null}
    </div>
  );
}

/** What was typed, where its words are counted: other fields need not be drawn anew with each letter. */
function countedText(field: FormField, values: Record<string, string>): string {
  return field.words > 0 ? (values[field.name] ?? '') : '';
}
