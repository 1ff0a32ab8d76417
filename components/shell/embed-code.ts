/**
 * Returns HTML that shows a shared page in a frame of another page, as high as its content. The address also takes
 * `theme=light|dark`; the default is the reader's system setting.
 */
export const embedCode = (url: string): string =>
  `<iframe src="${url}" title="Visitors" loading="lazy" style="width:100%;height:1600px;border:0"></iframe>
<script async src="${new URL(url).origin}/embed.js"></script>`;
