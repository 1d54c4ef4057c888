/** For pages that need the site's styles and no behaviour. */
import "../styles/app.css";
