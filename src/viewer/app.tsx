/** The page as a whole. */

export function App() {
  return <main>Tauflow report</main>;
}
