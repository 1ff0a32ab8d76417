"use client";

import { useEffect } from "react";

/** Tells the page around a frame how high its content is. It says nothing else, so that any page may hear it. */
export function EmbedHeight() {
  useEffect(() => {
    const content = document.getElementById("content");
    if (!content || window.parent === window) return;
    const send = () => window.parent.postMessage({ footfall: "height", height: Math.ceil(content.offsetHeight) }, "*");
    const observer = new ResizeObserver(send);
    observer.observe(content);
    const answer = ({ source, data }: MessageEvent) => {
      if (source === window.parent && data?.footfall === "height?") send();
    };
    window.addEventListener("message", answer);
    return () => {
      observer.disconnect();
      window.removeEventListener("message", answer);
    };
  }, []);
  return null;
}
