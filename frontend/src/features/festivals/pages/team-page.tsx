import { type TeamGroup, useApi, useSite } from '@/shared/api';
import { Head } from '@/shared/head';
import { langOf } from '@/shared/lang';
import { Page, Status } from '@/shared/ui/page';
import { Picture } from '@/shared/ui/picture';
import styles from './team-page.module.css';

/** The festival's team. */
export default function TeamPage() {
  const { product } = useSite();
  const groups = useApi<TeamGroup[]>('/team/');
  return (
    <Page title="Team" malayalam="സംഘാടകർ">
      <Head title={`Team · ${product.name}`} description={`The people who make the ${product.full_name}.`} />
      {groups.status === 'loading' && <Status>Loading...</Status>}
      {groups.status === 'error' && <Status onRetry={groups.retry}>The team is not available at the moment.</Status>}
      {groups.status === 'empty' && <Status whole>The team will be named here.</Status>}
      {groups.status === 'loaded' && (
        <div className={styles.groups}>
          {groups.data.map((group, row) => (
            <section key={group.group} className={styles.group} data-first-view={row === 0 ? '' : undefined}>
              <h2 className={styles.title}>{group.group}</h2>
              <ul className={styles.members}>
                {group.members.map((member, index) => (
                  <li key={member.id} className={styles.member}>
                    {member.portrait && (
                      <Picture
                        src={member.portrait}
                        alt={member.portrait_alt ?? ''}
                        shape="portrait"
                        sizes="people"
                        eager={row === 0 && index < 2}
                      />
                    )}
                    <strong lang={langOf(member.name)}>{member.name}</strong>
                    {member.note && <span className={styles.note}>{member.note}</span>}
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </Page>
  );
}
