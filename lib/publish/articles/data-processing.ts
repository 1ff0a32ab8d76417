import { type Article, code, part, terms, text } from "@/lib/publish/articles/article";

/** What each point of the template answers, by the letters of art. 28(3) GDPR. */
const POINTS: [string, string][] = [
  ["28(3), first sentence", "Subject, duration, nature and purpose, kinds of data and of people: sections 1 and 2."],
  ["(a)", "Documented instructions, and transfers to other countries: section 3."],
  ["(b)", "Confidentiality: section 4."],
  ["(c), art. 32", "Security: section 5 and annex 2."],
  ["(d), 28(2) and (4)", "Other processors: section 6 and annex 3."],
  ["(e)", "Rights of visitors: section 7."],
  ["(f), art. 32 to 36", "Breaches, impact assessments: section 8."],
  ["(g)", "Deletion and return: section 9."],
  ["(h)", "Proof and audits: section 10."],
];

const AGREEMENT = `DATA PROCESSING AGREEMENT (art. 28 GDPR)

between [name and address], the controller ("you"),
and [name and address], the processor ("we").

1. Subject and duration
We run the web analytics service Footfall at [address of the service] for your sites [domains]. This agreement holds as long as we do so [, and ends with the contract of DATE].

2. Nature and purpose, data and people
We receive, store and sum up events of your sites, so that you know how they are used. The people are visitors of your sites [and their signed-in users]. The data is that of annex 1. Special categories of personal data (art. 9) must not be sent.

3. Instructions
We process the data only on your documented instructions: this agreement, the settings of your sites, and what you tell us in writing. We process it in [countries] and transfer it elsewhere only if you tell us to, or if the law of the Union or a member state obliges us; then we tell you before, unless that law forbids it. If we think that an instruction breaks the law, we tell you at once.

4. Confidentiality
Everyone who can see the data with us is bound to confidentiality.

5. Security
We take the measures of annex 2 and keep them at least at this level (art. 32).

6. Other processors
We use those of annex 3. We tell you of a new one [30] days before, and you may object. Each is bound by contract to the same duties, and we answer for them.

7. Rights of visitors
We help you to answer requests for access, erasure and the other rights of chapter III, and pass on those that reach us [within 3 working days]. The pseudonyms of a day lead to nobody after the salt is deleted; where you send user ids, we delete what you name.

8. Breaches and assessments
We tell you of a breach of personal data without undue delay [, within 24 hours] after we know of it, with what you need for art. 33 and 34. We help you with art. 32 to 36 by what we know.

9. Deletion and return
You can export the data and delete sites at any time. When this agreement ends, we delete all data [within 30 days], or return it first if you wish; copies in backups are deleted after [30] days.

10. Proof and audits
We give you all information that shows that we keep art. 28, and allow and support audits, also by an auditor whom you name.

Annex 1: data. The record of each site (Settings, Privacy, Download the record), of [date].
Annex 2: measures. See below; add those of your hosting.
Annex 3: other processors. [name, country, what for: hosting, email …]

[place, date, signatures or their electronic form]`;

const MEASURES: [string, string][] = [
  ["pseudonyms", "Visitors are stored as keyed hashes with a salt of the day, which is deleted within two days."],
  [
    "minimal data",
    "IP addresses and user agents are not stored. Known kinds of personal data in texts are replaced before storage.",
  ],
  ["deletion", "Data older than the limit of a site is deleted by a job, beginning within ten minutes."],
  ["access", "Roles for each site; passwords are stored as Argon2id hashes; two-factor authentication and passkeys."],
  [
    "agents",
    "Software gets scopes and sites of its own; what can hurt waits for a person's approval of exactly that request.",
  ],
  ["traces", "Each change of a site is in an audit log with person or agent and time."],
  ["separation", "Sites are separated by their id in every statement; an answer never holds another site's data."],
  ["no third parties", "Pages of the service load nothing from other hosts."],
  ["restoring", "Backups can be made while the service runs, and a restore is checked before it begins."],
];

export const dataProcessingArticle = (_base: string): Article => ({
  slug: "data-processing",
  title: "Data processing agreement",
  lead: "A template by article 28 of the GDPR, for those who run the service for others, such as agencies for their customers.",
  index: "template of a data processing agreement (art. 28 GDPR), with its annexes",
  parts: [
    part(
      "when",
      "When you need one",
      text(
        "Who runs Footfall on their own server for their own sites processes the data themselves: no agreement is needed for that, only one with the hosting company, if it can reach the data. An agency, or a company of a group, that runs it for others is their processor and needs an agreement with each of them, in writing or in electronic form (art. 28(9)).",
      ),
      text(
        "The European Commission has published clauses for the same purpose, which need not be checked point by point: [Implementing Decision (EU) 2021/915](https://eur-lex.europa.eu/eli/dec_impl/2021/915/oj). This template is shorter. It is not legal advice; have it checked before you sign.",
      ),
      terms(POINTS),
    ),
    part(
      "template",
      "The template",
      text("What only you know is in square brackets."),
      code("the template", AGREEMENT, "text"),
    ),
    part(
      "measures",
      "Measures of the software",
      text("For annex 2. Encryption in transit, the place of the servers and who can reach them are yours to add."),
      terms(MEASURES),
    ),
  ],
});
