import { Load, type TeamGroup, useApi, useSite } from '@/shared/api';
import { Each, Head, langOf, When } from '@/shared/template';
import { Page, Status } from '@/shared/ui/page';
import { altOf, Picture } from '@/shared/ui/picture';
import styles from './team-page.module.css';

/** The people who make the festival. */
export default function TeamPage() {
  const { product } = useSite();
  const groups = useApi<TeamGroup[]>('/team/');
  return (
    <Page title="Team" malayalam="സംഘാടകർ">
      <Head title={`Team · ${product.name}`} description={`The people who make the ${product.full_name}.`} />
      <Load
        of={groups}
        loading={<Status>Loading...</Status>}
        error={<Status onRetry={groups.retry}>The team is not available at the moment.</Status>}
        empty={<Status>The team will be named here.</Status>}
      >
        {(groups) => (
          <div className={styles.groups}>
            <Each of={groups} as="group">
              {(group) => (
                <section className={styles.group}>
                  <h2 className={styles.title}>{group.group}</h2>
                  <ul className={styles.members}>
                    <Each of={group.members} as="member">
                      {(member) => (
                        <li className={styles.member}>
                          <When value={member.portrait}>
                            {(portrait) => (
                              <Picture
                                src={portrait}
                                alt={altOf(member, 'portrait')}
                                shape="portrait"
                                across="column"
                              />
                            )}
                          </When>
                          <strong lang={langOf(member.name)}>{member.name}</strong>
                          <When value={member.note}>{(note) => <span className={styles.note}>{note}</span>}</When>
                        </li>
                      )}
                    </Each>
                  </ul>
                </section>
              )}
            </Each>
          </div>
        )}
      </Load>
    </Page>
  );
}
