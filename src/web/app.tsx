export function App() {
  return <main>huddle</main>;
}
