import type { ReactNode, Ref } from "react";
import "./page-head.css";
import { usePhone } from "./use-phone.js";

type Props = {
  title: string;
  /** What the page is about; a phone has no room for it. */
  about?: string;
  /** What can be done on the page, at the right. */
  children: ReactNode;
  ref?: Ref<HTMLElement>;
};

/** The line above a page. */
export function PageHead({ title, about, children, ref }: Props) {
  const isPhone = usePhone();
  return (
    <header className="page-head" ref={ref}>
      <h1 className="page-head__title">{title}</h1>
      {about !== undefined && !isPhone && <p className="page-head__about">{about}</p>}
      {children}
    </header>
  );
}
