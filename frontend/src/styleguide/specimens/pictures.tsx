import { Carousel } from '@/shared/ui/carousel';
import { Overlay, PictureButton, PictureOverlay } from '@/shared/ui/overlay';
import { PauseButton } from '@/shared/ui/pause-button';
import { Picture } from '@/shared/ui/picture';
import { Rotator } from '@/shared/ui/rotator';
import { toast } from '@/shared/ui/toast';
import styles from '../guide.module.css';
import { drawing, pictures, sampleText } from '../samples';
import type { Specimen } from '../specimen';
import { Opens } from '../specimen';

const shapes = ['poster', 'still', 'square', 'portrait'] as const;
const still = drawing(1600, 900);

/** Pictures, carousels and overlays. */
export const moving: Specimen[] = [
  {
    name: 'Picture',
    of: Picture,
    file: 'shared/ui/picture.tsx',
    states: {
      'a wide one in every shape': () => (
        <div className={styles.row}>
          {shapes.map((shape) => (
            <Picture key={shape} src={still} alt={`A circle, ${shape}`} shape={shape} />
          ))}
        </div>
      ),
      'a tall one in every shape': () => (
        <div className={styles.row}>
          {shapes.map((shape) => (
            <Picture key={shape} src={drawing(600, 1500, '#12483c')} alt={`A circle, ${shape}`} shape={shape} />
          ))}
        </div>
      ),
      'no picture': () => (
        <div className={styles.row}>
          {shapes.map((shape) => (
            <Picture key={shape} src={null} alt="" shape={shape} missing="No Poster" />
          ))}
        </div>
      ),
      logo: () => <Picture src={drawing(900, 300)} alt="A wide logo" shape="logo" />,
    },
  },
  {
    name: 'Carousel',
    of: Carousel,
    file: 'shared/ui/carousel/carousel.tsx',
    wide: true,
    states: Object.fromEntries(
      (['films', 'posters', 'three', 'two', 'one'] as const).map((slides) => [
        slides,
        (surface) => (
          <Carousel of={pictures} label={`${slides} on ${surface}`} slides={slides} delay={3000}>
            {(picture) => (
              <figure>
                <Picture src={picture.image} alt="" shape={slides === 'one' ? 'still' : 'poster'} missing="No Image" />
                <figcaption className={styles.caption}>{picture.title}</figcaption>
              </figure>
            )}
          </Carousel>
        ),
      ]),
    ),
  },
  {
    name: 'Rotator',
    of: Rotator,
    file: 'shared/ui/rotator.tsx',
    states: {
      'three that take turns': (surface) => (
        <Rotator of={pictures.slice(0, 3)} label={`Sample on ${surface}`}>
          {(picture) => <Picture src={picture.image} alt={picture.title ?? 'Without a title'} shape="square" />}
        </Rotator>
      ),
      'a single one': (surface) => (
        <Rotator of={pictures.slice(0, 1)} label={`Single on ${surface}`}>
          {(picture) => <Picture src={picture.image} alt="Alone" shape="square" />}
        </Rotator>
      ),
    },
  },
  {
    name: 'PauseButton',
    of: PauseButton,
    file: 'shared/ui/pause-button.tsx',
    states: {
      running: (surface) => (
        <PauseButton rotation={{ paused: false, toggle: () => {} }} label={`Running on ${surface}`} />
      ),
      paused: (surface) => <PauseButton rotation={{ paused: true, toggle: () => {} }} label={`Paused on ${surface}`} />,
    },
  },
  {
    name: 'Overlay',
    of: Overlay,
    file: 'shared/ui/overlay/overlay.tsx',
    states: Object.fromEntries(
      (['full', 'window', 'side'] as const).map((kind) => [
        kind,
        () => (
          <Opens name={`Overlay: ${kind}`}>
            {(close) => (
              <Overlay label={`A sample: ${kind}`} kind={kind} onClose={close}>
                <div className={styles.dialog}>
                  <h2>{sampleText.usual}</h2>
                  <p lang="ml">{sampleText.longMalayalam}</p>
                  <button type="button" className={styles.open} onClick={close}>
                    Close
                  </button>
                </div>
              </Overlay>
            )}
          </Opens>
        ),
      ]),
    ),
  },
  {
    name: 'PictureOverlay',
    of: PictureOverlay,
    file: 'shared/ui/overlay/picture-button.tsx',
    states: {
      wide: () => (
        <Opens name="A wide picture">
          {(close) => <PictureOverlay image={drawing(3000, 900)} title="A wide picture" onClose={close} />}
        </Opens>
      ),
      tall: () => (
        <Opens name="A tall picture">
          {(close) => <PictureOverlay image={drawing(900, 3000)} title="A tall picture" onClose={close} />}
        </Opens>
      ),
    },
  },
  {
    name: 'PictureButton',
    of: PictureButton,
    file: 'shared/ui/overlay/picture-button.tsx',
    states: {
      any: () => (
        <PictureButton image={still} title="A still">
          <Picture src={still} alt="Enlarge: a still" shape="still" />
        </PictureButton>
      ),
    },
  },
  {
    name: 'toast',
    of: toast,
    file: 'shared/ui/toast/toast.ts',
    states: {
      success: () => (
        <button
          type="button"
          className={styles.open}
          onClick={() => toast('success', 'Form submitted successfully!', 3000)}
        >
          Show that it went well
        </button>
      ),
      error: () => (
        <button
          type="button"
          className={styles.open}
          onClick={() => toast('error', `Please fill in ${sampleText.longMalayalam}`, 3000)}
        >
          Show that it did not
        </button>
      ),
    },
  },
];
