/** Sentences about a view as bullets, such as its filters. */
export const SentenceList = ({ sentences }: { sentences: readonly string[] }) => (
  <ul className="list-disc pl-5 break-words">
    {sentences.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);
