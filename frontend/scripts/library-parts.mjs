/**
 * What the build leaves out of libraries, or moves behind the first interaction. If the code of a newer library
 * differs, nothing is changed, and the test of page sizes fails.
 */

/** @typedef {import('vite').Plugin} Plugin */

/**
 * The router comes in one piece. Its components that nothing here uses (its links, forms, its own scrolling) are only
 * left out of the build if the calls that create them are known to be free of side effects: 4 kB of each page's
 * scripts.
 *
 * Pages get their data from `useApi`, so the router has none, and never shows errors of its own: its data handling is
 * another 1.7 kB.
 * @type {Plugin}
 */
export const unusedRouterParts = {
  name: 'unused-router-parts',
  transform: {
    filter: { id: /react-router\/dist/ },
    handler: (code) =>
      code
        .replace(/(= |^)(React\d*\.(?:forwardRef|memo|createContext)\()/gm, '$1/* @__PURE__ */ $2')
        .replace(/^\w+\.(?:displayName|contextType) = .*;$/gm, '')
        .replace('isDataRoute ? useNavigateStable() : useNavigateUnstable()', 'useNavigateUnstable()')
        .replace(/^function _renderMatches\([\s\S]*?^}$/m, (whole) =>
          whole.replace(/^ *let dataRouterState = .*;$/m, '').replaceAll('dataRouterState', 'null'),
        ),
  },
};

/**
 * The features that framer-motion has loaded: its elements read them, and the class that animates iterates over them.
 */
const LOADED_FEATURES = '\0motion-features';

/**
 * The file that records which features are loaded also holds the class that animates, so every page would load it at
 * once, with all that it uses. With the record in a file of its own, the class is part of what is loaded when the page
 * is idle.
 * @type {Plugin}
 */
export const laterMotionParts = {
  name: 'later-motion-parts',
  resolveId: (id) => (id === LOADED_FEATURES ? { id, moduleSideEffects: false } : null),
  load: (id) =>
    id === LOADED_FEATURES
      ? `export let featureDefinitions = {};
         export const getFeatureDefinitions = () => featureDefinitions;
         export function setFeatureDefinitions(definitions) { featureDefinitions = definitions; }`
      : null,
  transform: {
    filter: { id: /motion-dom\/dist\/es\/(index|render\/VisualElement)\.mjs$/ },
    handler: (code) =>
      code
        .replace(
          /^let featureDefinitions = \{\};[\s\S]*?(?=\/\*\*\n \* A VisualElement is)/m,
          `import { featureDefinitions } from '${LOADED_FEATURES}';\n`,
        )
        .replace(
          /^export \{ VisualElement, get.*, set\w+ \}(.*)$/m,
          (_, from) =>
            `export { VisualElement }${from}\nexport { getFeatureDefinitions, setFeatureDefinitions } from '${LOADED_FEATURES}';`,
        ),
  },
};

/**
 * The component that takes a leaving element out of the layout writes a style element, which the content security
 * policy forbids; nothing here uses it.
 * @type {Plugin}
 */
export const noPopLayout = {
  name: 'no-pop-layout',
  load: {
    filter: { id: /framer-motion\/dist\/es\/components\/AnimatePresence\/PopChild\.mjs$/ },
    handler: () => 'export const PopChild = ({ children }) => children;',
  },
};

/** Replaces the code that animates SVG elements: only HTML elements move here. */
const HTML_IN_PLACE_OF_SVG = {
  'render/dom/utils/is-svg-component.mjs': 'export const isSVGComponent = () => false;',
  'render/svg/use-props.mjs': "export { useHTMLProps as useSVGProps } from '../html/use-props.mjs';",
  'render/svg/use-svg-visual-state.mjs':
    "export { useHTMLVisualState as useSVGVisualState } from '../html/use-html-visual-state.mjs';",
};

/** @type {Plugin} */
export const noSvgMotion = {
  name: 'no-svg-motion',
  load: {
    filter: { id: /framer-motion\/dist\/es\/render\// },
    handler: (id) => HTML_IN_PLACE_OF_SVG[id.slice(id.indexOf('/es/') + 4)],
  },
};
